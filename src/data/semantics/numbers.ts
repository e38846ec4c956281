import { MAX_UINT64, MIN_INT64, parseDurationNs } from '../../base/index.ts'
import { float, integer, isNumberText, JsonText, type Value } from '../value.ts'
import { parseBytes } from './bytes.ts'

const PREFIXED = /^[+-]?0(?:[xX](?:_?[0-9a-fA-F])+|[bB](?:_?[01])+|[oO](?:_?[0-7])+)$/
const DECIMAL = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?$/
const INTEGER = /^[+-]?\d+(?:_\d+)*$/

/** Returns an exact integer in the range from -2^63 to 2^64-1; outside it, the nearest float. */
function exactInteger(value: bigint): number | bigint | undefined {
  return value >= MIN_INT64 && value <= MAX_UINT64 ? integer(value) : finite(Number(value))
}

/** Returns `undefined` if the digits exceed the largest float. Only words such as `inf` mean infinity. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? float(value) : undefined
}

function parseSpecial(text: string): number | undefined {
  const isSigned = text.startsWith('-') || text.startsWith('+')
  switch ((isSigned ? text.slice(1) : text).toLowerCase()) {
    case 'inf':
    case 'infinity':
      return text.startsWith('-') ? -Infinity : Infinity
    case 'nan':
      return isSigned ? undefined : NaN
    default:
      return undefined
  }
}

const POWERS_OF_TEN = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)

/**
 * Parses up to 15 digits with an optional sign and a point between digits, the most common form. Digits and power of
 * ten are exact as doubles, so that the single division rounds correctly.
 */
function parseShort(text: string): number | undefined {
  const { length } = text
  if (length > 17) return undefined
  const isNegative = text.charCodeAt(0) === 45
  const start = isNegative ? 1 : 0
  if (length === start) return undefined
  let digits = 0
  let point = -1
  for (let i = start; i < length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 48 && unit <= 57) digits = digits * 10 + (unit - 48)
    else if (unit !== 46 || point !== -1 || i === start || i === length - 1) return undefined
    else point = i
  }
  if (length - start - (point === -1 ? 0 : 1) > 15) return undefined
  const size = point === -1 ? digits : digits / (POWERS_OF_TEN[length - point - 1] ?? NaN)
  return isNegative ? float(-size) : size
}

/** Returns the first UTF-16 unit after a sign and leading digits; NaN at the end of the text. */
function unitAfterDigits(text: string): number {
  const first = text.charCodeAt(0)
  for (let i = first === 45 || first === 43 ? 1 : 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (!(unit >= 48 && unit <= 57)) return unit
  }
  return NaN
}

/** UTF-16 units that may follow the leading digits of a number: `. _ e x b o` and letters of `inf` and `nan`. */
const AFTER_DIGITS = new Set(Array.from('._eExXbBoOiInN', (character) => character.charCodeAt(0)))

/** Returns whether a string may be a number, judged by its first character. */
function looksNumeric(text: string): boolean {
  const unit = text.charCodeAt(0)
  return (
    (unit >= 48 && unit <= 57) ||
    unit === 45 ||
    unit === 43 ||
    unit === 46 ||
    unit === 73 ||
    unit === 105 ||
    unit === 78 ||
    unit === 110
  )
}

/**
 * Parses a number literal: integer or float with `_` between digits, `0x`/`0b`/`0o`, exponent, `inf`, `nan`. Integers
 * from -2^63 to 2^64-1 are exact. `undefined` for any other text, and for digits beyond the largest float, such as
 * `1e400`.
 */
export function parsePlainNumber(text: string): number | bigint | undefined {
  if (!looksNumeric(text)) return undefined
  const short = parseShort(text)
  if (short !== undefined) return short
  if (text.length > 400) return undefined
  const next = unitAfterDigits(text)
  if (next === next && !AFTER_DIGITS.has(next)) return undefined
  if (INTEGER.test(text)) return exactInteger(BigInt(text.replaceAll(/[_+]/g, '')))
  if (DECIMAL.test(text)) return finite(Number(text.replaceAll('_', '')))
  if (PREFIXED.test(text)) {
    const isNegative = text.startsWith('-')
    const digits = BigInt(text.replaceAll(/[_+-]/g, ''))
    return exactInteger(isNegative ? -digits : digits)
  }
  return parseSpecial(text)
}

/** The length in UTF-16 units of 2^64 with a sign and `_` after each digit. */
const MAX_CANONICAL = 40

const CANONICAL = /^(?:0|-?[1-9]\d*(?:_\d+)*)$/

/**
 * Parses an integer as a program would print it: digits, possibly with `_` between them, without `+` and leading zeros.
 * So codes such as `007` are not integers.
 */
export function parseCanonicalInteger(text: string): bigint | undefined {
  const value = text.length <= MAX_CANONICAL && CANONICAL.test(text) ? parsePlainNumber(text) : undefined
  return value === undefined ? undefined : BigInt(value)
}

/** Parses a number as `parsePlainNumber` does, else a duration in nanoseconds, else a size in bytes. */
export function parseNumber(text: string): number | bigint | undefined {
  const plain = parsePlainNumber(text)
  if (plain !== undefined) return plain
  const first = text.charCodeAt(text.charCodeAt(0) === 45 ? 1 : 0)
  if (!(first >= 48 && first <= 57)) return undefined
  const next = unitAfterDigits(text)
  // Excludes dates, clock times and paths. Other strings may have a unit.
  if (next === 45 || next === 58 || next === 47 || next === 32) return undefined
  const durationNs = parseDurationNs(text)
  return durationNs === undefined ? parseBytes(text) : integer(durationNs)
}

/** Returns the number of a numeric value, also of a `JsonText`; `undefined` for all other values. */
export function typedNumber(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return value instanceof JsonText && isNumberText(value.json) ? parsePlainNumber(value.json) : undefined
}
