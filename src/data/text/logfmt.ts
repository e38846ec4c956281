import { readQuoted, type Quoted } from './quoted.ts'

const KEY_NEEDS_QUOTES = /[\s="\p{Cc}]/u
const NEEDS_QUOTES = /[\s"\p{Cc}]/u

/** One `name=value`, quoted where a plain text would not read back. */
export function printLogfmtPair(name: string, value: string): string {
  const key = name === '' || KEY_NEEDS_QUOTES.test(name) ? JSON.stringify(name) : name
  const isQuoted = NEEDS_QUOTES.test(value) || /^['`]/.test(value)
  return `${key}=${isQuoted ? JSON.stringify(value) : value}`
}

export function printLogfmt(fields: Iterable<readonly [string, string]>): string {
  return Array.from(fields, ([name, value]) => printLogfmtPair(name, value)).join(' ')
}

export interface LogfmtPair {
  readonly name: string
  /** What stands behind the `=`; `undefined` when there is none. */
  readonly value: string | undefined
  /** Whether the value stands in quotes. */
  readonly isQuoted: boolean
}

const KEY_END = /[=\s]/g
const BLANK = /\s/g
const NOT_BLANK = /\S/g

function indexOfNext(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

/**
 * `name=value` pairs separated by blanks; names and values may be quoted. Never fails: a quote that opens no quoted text
 * is a character as any other. `isLenient` as for `readQuoted`.
 */
export function readLogfmt(text: string, isLenient = false): LogfmtPair[] {
  const pairs: LogfmtPair[] = []
  const readPlain = (from: number, stop: RegExp): Quoted => {
    const end = indexOfNext(stop, text, from)
    return { value: text.slice(from, end), end }
  }
  for (let at = indexOfNext(NOT_BLANK, text, 0); at < text.length; at = indexOfNext(NOT_BLANK, text, at)) {
    const { value: name, end } = readQuoted(text, at, isLenient) ?? readPlain(at, KEY_END)
    at = end
    if (text[end] === '=') {
      const quoted = readQuoted(text, end + 1, isLenient)
      const value = quoted ?? readPlain(end + 1, BLANK)
      pairs.push({ name, value: value.value, isQuoted: quoted !== undefined })
      at = value.end
    } else if (name !== '') {
      pairs.push({ name, value: undefined, isQuoted: false })
    }
  }
  return pairs
}

/** As `readLogfmt`, with `''` for a name alone. */
export function parseLogfmt(text: string): (readonly [string, string])[] {
  return readLogfmt(text).map(({ name, value }) => [name, value ?? ''] as const)
}
