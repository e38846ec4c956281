import type { Meter } from '../base/index.ts'
import { JsonText, type Row, type Value } from '../data/index.ts'

/** Characters of a value that is a text or JSON; 0 for what has a fixed size. */
function valueChars(value: Value): number {
  return typeof value === 'string' ? value.length : value instanceof JsonText ? value.json.length : 0
}

/**
 * The characters of a row that a function has made; values that it shares with the row `before` are not counted again.
 * Throws `budget/value-length` when one value has too many.
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

/** A value that a stats function has made. Throws `budget/value-length`. */
export function meteredValue(value: Value, meter: Meter, maker: string): Value {
  const length = valueChars(value)
  if (length > 0) meter.text(length, maker)
  return value
}

/** As `meteredValue`, for one that is kept. Throws `budget/memory` too. */
export function chargedValue(value: Value, meter: Meter, maker: string): Value {
  const length = valueChars(value)
  if (length === 0) return value
  meter.text(length, maker)
  meter.charge(2 * length)
  return value
}
