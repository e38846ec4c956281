/** Flags of a character inside or next to a number. */
export const numberFlag = {
  digit: 1,
  hexLetter: 2,
  /** A number cannot start directly after this character. */
  barsStart: 4,
  /** A number cannot end directly before this character. */
  barsEnd: 8,
} as const

/** The flags of digits, including hexadecimal ones. */
export const ANY_DIGIT = numberFlag.digit | numberFlag.hexLetter

/** Letters after which a number may start: `v1`, `0x1F`, `T10`, `1h5m6s`. */
const OPENERS = '_TXxvshm'
/** Letters before which a number may end: `5ms`, `5us`, `10T`, `00Z`. */
const CLOSERS = '_TZsmhun'

/**
 * Flags by ASCII code, or by byte of UTF-8. Characters beyond ASCII have no flags, not even letters: numbers may start
 * and end next to them.
 */
export const numberFlags = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (!/\w/.test(character)) return 0
  const kind = /\d/.test(character) ? numberFlag.digit : /[a-f]/i.test(character) ? numberFlag.hexLetter : 0
  return (
    kind |
    (OPENERS.includes(character) ? 0 : numberFlag.barsStart) |
    (CLOSERS.includes(character) ? 0 : numberFlag.barsEnd)
  )
})

function kindAt(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  return unit < 128 ? (numberFlags[unit] ?? 0) : 0
}

/** Returns whether a run of this many digits, some of them hexadecimal, counts as a number. */
function isHexNumber(length: number): boolean {
  return length >= 4 && length % 2 === 0
}

/** Returns the end of the run of digits (also hexadecimal ones) that starts at `from`. */
function runEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && (kindAt(text, end) & ANY_DIGIT) !== 0) end++
  return end
}

/**
 * Returns whether the digits in `[from, end)` are a number: only decimal digits, or an even count of at least four, and
 * no barring character after them.
 */
function isNumber(text: string, from: number, end: number): boolean {
  if (end === from || (kindAt(text, end) & numberFlag.barsEnd) !== 0) return false
  if (isHexNumber(end - from)) return true
  for (let i = from; i < end; i++) if ((kindAt(text, i) & numberFlag.digit) === 0) return false
  return true
}

/**
 * Returns whether a number may start at the index. The character before must not be an ASCII letter, digit or `_`,
 * unless it is one of `OPENERS`.
 */
export function mayNumberStart(text: string, index: number): boolean {
  return index === 0 || (kindAt(text, index - 1) & numberFlag.barsStart) === 0
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
