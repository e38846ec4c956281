/** Operators of matchers, by their number in the API. */
export const signs = ['=', '!=', '=~', '!~'] as const
export type Sign = (typeof signs)[number]

export interface Matcher {
  readonly name: string
  readonly type: Sign
  readonly value: string
}

/** Returns matchers for the labels in a link; a single empty matcher if the link has none. */
export function matchersOfLink(text: string | undefined): readonly Matcher[] {
  const none: readonly Matcher[] = [{ name: '', type: '=', value: '' }]
  if (text === undefined) return none
  try {
    const labels: unknown = JSON.parse(text)
    if (typeof labels !== 'object' || labels === null) return none
    const matchers = Object.entries(labels).map(([name, value]): Matcher => ({ name, type: '=', value: String(value) }))
    return matchers.length === 0 ? none : matchers
  } catch {
    return none
  }
}
