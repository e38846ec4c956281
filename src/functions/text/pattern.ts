import { readQuoted } from './quoted.ts'

/** A literal text and the placeholder behind it; the last step of a pattern may have none. */
export interface PatternStep {
  readonly prefix: string
  /** `undefined` when the pattern ends here; `''` for a placeholder without a name. */
  readonly field: string | undefined
  /** What stands before a colon in the placeholder, such as `plain` or `uc`. */
  readonly option: string
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

/** HTML entities, by which a pattern writes `<` and `>` themselves. */
function unescapeEntities(text: string): string {
  return text.replaceAll(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g,
    (all, name, decimal, hex) => {
      if (name !== undefined) return ENTITIES.get(name) ?? all
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
}

/** What is wrong with a pattern. */
export type PatternFault = 'missing-close' | 'adjacent-fields'

/** `text<field>text<option:field>`: literal text with placeholders; `<>` and `<_>` have no name. */
export function parsePattern(pattern: string): readonly PatternStep[] | PatternFault {
  const steps: PatternStep[] = []
  let at = 0
  for (;;) {
    const open = pattern.indexOf('<', at)
    if (open === -1) {
      const rest = unescapeEntities(pattern.slice(at))
      if (rest !== '' || steps.length === 0) steps.push({ prefix: rest, field: undefined, option: '' })
      return steps
    }
    const close = pattern.indexOf('>', open)
    if (close === -1) return 'missing-close'
    const inside = pattern.slice(open + 1, close)
    const colon = inside.indexOf(':')
    const name = unescapeEntities((colon === -1 ? inside : inside.slice(colon + 1)).trim())
    steps.push({
      prefix: unescapeEntities(pattern.slice(at, open)),
      field: name === '_' || name === '*' ? '' : name,
      option: colon === -1 ? '' : inside.slice(0, colon).trim(),
    })
    at = close + 1
  }
}

/** Whether two placeholders follow each other with nothing between, which `extract` cannot take apart. */
export function hasAdjacentFields(steps: readonly PatternStep[]): boolean {
  return steps.some((step, i) => i > 0 && step.field !== undefined && step.prefix === '')
}

/**
 * The texts of the named placeholders, in order: from behind each literal to the next one. The first literal may stand
 * anywhere. A quoted text counts as a whole, without its quotes, unless the option is `plain`. Placeholders that find
 * nothing are `''`.
 */
export function applyPattern(steps: readonly PatternStep[], text: string): readonly string[] {
  const values = steps.filter((step) => step.field !== undefined && step.field !== '').map(() => '')
  const found = text.indexOf(steps[0].prefix)
  if (found === -1) return values
  let at = found + steps[0].prefix.length
  let next = 0
  for (const [i, step] of steps.entries()) {
    if (step.field === undefined) return values
    const following = steps[i + 1]?.prefix ?? ''
    const quoted = step.option === 'plain' ? undefined : readQuoted(text, at)
    let value: string
    if (quoted === undefined) {
      const end = following === '' ? text.length : text.indexOf(following, at)
      if (end === -1) return values
      value = text.slice(at, end)
      at = end + following.length
    } else {
      if (!text.startsWith(following, quoted.end)) {
        if (step.field !== '') values[next] = quoted.value
        return values
      }
      value = quoted.value
      at = quoted.end + following.length
    }
    if (step.field !== '') values[next++] = value
  }
  return values
}
