import { EQUALS } from '../../base/index.ts'
import type { NameSet } from './name-set.ts'
import { readQuoted } from './quoted.ts'

const KEY_NEEDS_QUOTES = /[\s="\p{Cc}]/u
const NEEDS_QUOTES = /[\s"\p{Cc}]/u

/** Writes `name=value`, with quotes if the value could not be read back otherwise. */
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
  /** The text after `=`; `undefined` if there is no `=`. */
  readonly value: string | undefined
  /** True if the value is in quotes. */
  readonly isQuoted: boolean
}

const NOT_ASCII_BLANK = /\s/

function isBlankAt(text: string, at: number, code = text.charCodeAt(at)): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  return NOT_ASCII_BLANK.test(text.charAt(at))
}

/**
 * Returns the position of the first blank from `from` on, or with `stopsAtEquals` of the first blank or `=`; the end if
 * there is none.
 */
function endOfWord(text: string, from: number, stopsAtEquals: boolean): number {
  const stop = stopsAtEquals ? EQUALS : -1
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === stop || ((code <= 0x20 || code >= 0x80) && isBlankAt(text, at, code))) break
  }
  return at
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlankAt(text, at)) at++
  return at
}

/**
 * Reads `name=value` pairs separated by blanks: all of them, or those with a name in `names`. Names and values may be
 * quoted, and quoted strings may contain line breaks. It never fails: an unclosed quote is an ordinary character. With
 * `isLenient`, an invalid escape stands for itself.
 */
export function readLogfmt(text: string, isLenient = false, names?: NameSet): LogfmtPair[] {
  const pairs: LogfmtPair[] = []
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, at)) {
    const quotedName = readQuoted(text, at, isLenient, true)
    const nameEnd = quotedName?.end ?? endOfWord(text, at, true)
    const name = wantedName(quotedName?.value, text, at, nameEnd, names)
    at = nameEnd
    if (text.charCodeAt(at) === EQUALS) {
      const quoted = readQuoted(text, at + 1, isLenient, true)
      const end = quoted?.end ?? endOfWord(text, at + 1, false)
      if (name !== undefined)
        pairs.push({ name, value: quoted?.value ?? text.slice(at + 1, end), isQuoted: quoted !== undefined })
      at = end
    } else if (name !== undefined && name !== '') {
      pairs.push({ name, value: undefined, isQuoted: false })
    }
  }
  return pairs
}

/** Reads a name; returns `undefined` if it is not wanted. */
function wantedName(
  quoted: string | undefined,
  text: string,
  from: number,
  to: number,
  names: NameSet | undefined,
): string | undefined {
  if (names === undefined) return quoted ?? text.slice(from, to)
  if (quoted === undefined) return names.at(text, from, to)
  return names.has(quoted) ? quoted : undefined
}

/** Like `readLogfmt`, with `''` for a name without a value. */
export function parseLogfmt(text: string, names?: NameSet): (readonly [string, string])[] {
  return readLogfmt(text, false, names).map(({ name, value }) => [name, value ?? ''] as const)
}
