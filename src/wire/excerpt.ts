import { EXCERPT_CHARS, printable } from '../base/index.ts'

/**
 * Returns an excerpt of client input that is safe to echo: one line, no control characters, at most `EXCERPT_CHARS`
 * characters.
 */
export function excerpt(text: string): string {
  const shown = printable(text.slice(0, EXCERPT_CHARS + 1))
  return shown.length > EXCERPT_CHARS ? `${shown.slice(0, EXCERPT_CHARS).replace(/[\uD800-\uDBFF]$/, '')}…` : shown
}

/** Names a JSON value in a sentence: `the number 5`, `the text "abc"`, `a list`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return '`null`'
  if (typeof value === 'string') return `the text "${excerpt(value)}"`
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${excerpt(String(value))}`
  if (typeof value === 'boolean') return `\`${value}\``
  if (Array.isArray(value)) return 'a list'
  return 'an object'
}
