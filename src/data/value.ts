import { formatRfc3339 } from '../base/index.ts'

/** A point in time, in nanoseconds since 1970. */
export class Instant {
  readonly ns: bigint

  constructor(ns: bigint) {
    this.ns = ns
  }
}

/**
 * A JSON value in its source form: a list or object without insignificant blanks, or a number that `formatNumber` would
 * write differently, such as `1.10`, `1e3` or `-0` (L58 of `grammar/semantics.md`). `numberOfJson` creates the numbers.
 */
export class JsonText {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/**
 * The value of a field in a row. `null` means missing. Every filter and function treats a missing value and `''` as
 * equal. Integers beyond ±2^53 are `bigint`; all other numbers are `number`, including NaN and infinities. Negative
 * zero does not occur.
 */
export type Value = null | boolean | number | bigint | string | Instant | JsonText

const SAFE = BigInt(Number.MAX_SAFE_INTEGER) + 1n

/**
 * Maximum number of digits of an integer. A longer integer stays a string, because the time for arithmetic grows with
 * the square of the length.
 */
const MAX_DIGITS = 1024

/** Parses an integer from digits with an optional minus sign. */
export function integerOfDigits(digits: string): number | bigint | string {
  return digits.length > MAX_DIGITS ? digits : integer(BigInt(digits))
}

/** Returns whether a `JsonText` is a number. */
export function isNumberText(json: string): boolean {
  const first = json.charCodeAt(0)
  return (first >= 48 && first <= 57) || first === 45
}

/** Returns the value of a JSON number: a `number` or `bigint` if it prints as the same text, else a `JsonText`. */
export function numberOfJson(text: string): number | bigint | JsonText {
  if (/^-?\d+$/.test(text) && text !== '-0') {
    const integer = integerOfDigits(text)
    return typeof integer === 'string' ? new JsonText(text) : integer
  }
  const value = Number(text)
  return formatNumber(value) === text ? value : new JsonText(text)
}

/** Returns an integer as `number` up to 2^53, else as `bigint`. */
export function integer(value: bigint): number | bigint {
  return value >= -SAFE && value <= SAFE ? Number(value) : value
}

/** Returns a float as a value: negative zero becomes zero. */
export function float(value: number): number {
  return value === 0 ? 0 : value
}

/**
 * Converts a JavaScript value to a field value, a `Date` to a time. Returns `undefined` for values that have no
 * counterpart.
 */
export function scalarOf(given: unknown): Value | undefined {
  switch (typeof given) {
    case 'string':
    case 'boolean':
      return given
    case 'number':
      return float(given)
    case 'bigint':
      return integer(given)
  }
  if (given === null || given instanceof Instant || given instanceof JsonText) return given
  if (!(given instanceof Date) || Number.isNaN(given.getTime())) return undefined
  return new Instant(BigInt(given.getTime()) * 1_000_000n)
}

/** Writes the shortest decimal form without an exponent, or `NaN`, `+Inf`, `-Inf`. */
export function formatNumber(value: number): string {
  if (value !== value) return 'NaN'
  if (value === Infinity) return '+Inf'
  if (value === -Infinity) return '-Inf'
  const text = String(value)
  const e = text.indexOf('e')
  if (e === -1) return text === '-0' ? '0' : text
  const exponent = Number(text.slice(e + 1))
  const negative = text.charCodeAt(0) === 45
  const mantissa = text.slice(negative ? 1 : 0, e)
  const dot = mantissa.indexOf('.')
  const whole = dot === -1 ? mantissa : mantissa.slice(0, dot)
  const fraction = dot === -1 ? '' : mantissa.slice(dot + 1)
  const digits = whole + fraction
  const point = whole.length + exponent
  let out: string
  if (point <= 0) out = `0.${'0'.repeat(-point)}${digits}`
  else if (point >= digits.length) out = digits + '0'.repeat(point - digits.length)
  else out = `${digits.slice(0, point)}.${digits.slice(point)}`
  return negative ? `-${out}` : out
}

/**
 * Returns the string form of a value, which text filters, text functions and group keys use. Times have no trailing
 * zeros in the fraction.
 */
export function toText(value: Value): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  if (typeof value === 'number') return formatNumber(value)
  if (value instanceof Instant) return formatRfc3339(value.ns, true)
  if (value instanceof JsonText) return value.json
  return String(value)
}

/** Returns whether a value is missing or `''`. */
export function isEmptyValue(value: Value): boolean {
  return value === null || value === ''
}
