import { work } from '../../base/index.ts'

/** Flags of a character inside or next to a number. */
const characterFlag = {
  digit: 1,
  hexLetter: 2,
  /** A number cannot start directly after this character. */
  barsStart: 4,
  /** A number cannot end directly before this character. */
  barsEnd: 8,
} as const

/** Letters after which a number may start: `v1`, `0x1F`, `T10`, `1h5m6s`. */
const OPENERS = '_TXxvshm'
/** Letters before which a number may end: `5ms`, `5us`, `10T`, `00Z`. */
const CLOSERS = '_TZsmhun'

/** Flags by ASCII code. Other characters, also letters, have no flags: numbers may start and end next to them. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (!/\w/.test(character)) return 0
  const kind = /\d/.test(character) ? characterFlag.digit : /[a-f]/i.test(character) ? characterFlag.hexLetter : 0
  return (
    kind |
    (OPENERS.includes(character) ? 0 : characterFlag.barsStart) |
    (CLOSERS.includes(character) ? 0 : characterFlag.barsEnd)
  )
})

function kindAt(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  return unit < 128 ? (kinds[unit] ?? 0) : 0
}

/** The flags of digits, including hexadecimal ones. */
const RUN = characterFlag.digit | characterFlag.hexLetter

/** Returns whether a run of this many digits, some of them hexadecimal, counts as a number. */
function isHexNumber(length: number): boolean {
  return length >= 4 && length % 2 === 0
}

/** Returns the end of the run of digits (also hexadecimal ones) that starts at `from`. */
function runEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && (kindAt(text, end) & RUN) !== 0) end++
  return end
}

/** Returns whether the digits in `[from, end)` are a number: decimal digits only, or an even count of at least four. */
function isNumber(text: string, from: number, end: number): boolean {
  if (end === from || (kindAt(text, end) & characterFlag.barsEnd) !== 0) return false
  if (isHexNumber(end - from)) return true
  for (let i = from; i < end; i++) if ((kindAt(text, i) & characterFlag.digit) === 0) return false
  return true
}

/**
 * Returns whether a number may start at the index. The character before must not be an ASCII letter, digit or `_`,
 * unless it is one of `OPENERS`.
 */
export function mayNumberStart(text: string, index: number): boolean {
  return index === 0 || (kindAt(text, index - 1) & characterFlag.barsStart) === 0
}

/**
 * Returns the end offset of the number whose digits start at `from`, or -1 when there is none. A number consists of the
 * digits 0 to 9 and a to f: decimal digits only, or an even count of at least four. An ASCII letter, digit or `_` after
 * it must be one of `_ T Z s m h u n`. The caller must check what precedes `from` with `mayNumberStart`.
 */
export function numberEnd(text: string, from: number): number {
  const end = runEnd(text, from)
  return isNumber(text, from, end) ? end : -1
}

const wordCharacters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((c) => /\w/.test(c))

function charactersWithout(excepted: string): string {
  return wordCharacters.filter((character) => !excepted.includes(character)).join('')
}

/**
 * Matches a number as defined by `mayNumberStart` and `numberEnd`. The loops match a fixed length each, so matching
 * does not backtrack.
 */
const NUMBER = new RegExp(
  String.raw`(?<![${charactersWithout(OPENERS)}])(?:\d+|(?:[\da-fA-F]{2}){2,})(?![${charactersWithout(CLOSERS)}])`,
  'g',
)

/** Replaces every number by `<N>`. Digits that are not numbers by this definition are not changed. */
export function collapseNumbers(text: string): string {
  work(text.length >>> 2)
  return text.replace(NUMBER, '<N>')
}

/** Replacements in this order. */
const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/<N>-<N>-<N>-<N>-<N>/g, '<UUID>'],
  [/<N>\.<N>\.<N>\.<N>/g, '<IP4>'],
  [/<N>:<N>:<N>(?:[.,]<N>)?/g, '<TIME>'],
  [/<N>-<N>-<N>/g, '<DATE>'],
  [/<N>\/<N>\/<N>/g, '<DATE>'],
  [/<DATE>[T ]<TIME>(?:Z|[+-]<N>:<N>)?/g, '<DATETIME>'],
]

/** Like `collapseNumbers`, but replaces known groups of numbers by `<UUID> <IP4> <TIME> <DATE> <DATETIME>`. */
export function collapseNumbersPretty(text: string): string {
  return FOLDS.reduce((folded, [group, name]) => folded.replace(group, name), collapseNumbers(text))
}
