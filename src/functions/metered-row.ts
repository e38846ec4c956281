import type { Meter } from '../base/index.ts'
import { JsonText, type Row, type Value } from '../data/index.ts'

/** Returns the length of a string or JSON value in UTF-16 units; 0 for values of fixed size. */
function valueChars(value: Value): number {
  return typeof value === 'string' ? value.length : value instanceof JsonText ? value.json.length : 0
}

/**
 * Returns the number of characters of a row that a function returned, without the values shared with `before`. Throws
 * `budget/value-length` if a value is too long.
 */
export function meteredRow(row: Row, meter: Meter, maker: string, before?: Row): number {
  let chars = 0
  for (const [name, value] of row) {
    const length = valueChars(value)
    if (length === 0 || before?.get(name) === value) continue
    meter.text(length, maker)
    chars += length
  }
  return chars
}

/** Returns a value of a stats function after checking its length. Throws `budget/value-length`. */
export function meteredValue(value: Value, meter: Meter, maker: string): Value {
  const length = valueChars(value)
  if (length > 0) meter.text(length, maker)
  return value
}

/** Returns a value like `meteredValue`, but also charges its memory. Also throws `budget/memory`. */
export function chargedValue(value: Value, meter: Meter, maker: string): Value {
  const length = valueChars(value)
  if (length === 0) return value
  meter.text(length, maker)
  meter.charge(2 * length)
  return value
}
