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

const NOT_ASCII_BLANK = /\s/
const EQUALS = 0x3d

function isBlankAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  return NOT_ASCII_BLANK.test(text.charAt(at))
}

/** Where the first blank stands from `from` on, or with `stopsAtEquals` the first `=`; else the end. */
function endOfWord(text: string, from: number, stopsAtEquals: boolean): number {
  const stop = stopsAtEquals ? EQUALS : -1
  let at = from
  while (at < text.length && !isBlankAt(text, at) && text.charCodeAt(at) !== stop) at++
  return at
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlankAt(text, at)) at++
  return at
}

/**
 * `name=value` pairs separated by blanks; names and values may be quoted. Never fails: a quote that opens no quoted text
 * is a character as any other. `isLenient` as for `readQuoted`.
 */
export function readLogfmt(text: string, isLenient = false): LogfmtPair[] {
  const pairs: LogfmtPair[] = []
  const readPlain = (from: number, stopsAtEquals: boolean): Quoted => {
    const end = endOfWord(text, from, stopsAtEquals)
    return { value: text.slice(from, end), end }
  }
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, at)) {
    const { value: name, end } = readQuoted(text, at, isLenient) ?? readPlain(at, true)
    at = end
    if (text.charCodeAt(end) === EQUALS) {
      const quoted = readQuoted(text, end + 1, isLenient)
      const value = quoted ?? readPlain(end + 1, false)
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
