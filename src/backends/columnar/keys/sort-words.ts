import { hasBit } from '../../../data/index.ts'
import type { PlainNumbers, PlainTimes } from './plain-columns.ts'

/**
 * Two 32-bit words for each row. Comparing them as unsigned numbers, `high` before `low`, gives the order of one sort
 * key.
 */
export interface SortWords {
  readonly high: Uint32Array | undefined
  readonly low: Uint32Array
}

const LAST = 0xffffffff
/** The high word for NaN, which sorts after both infinities. */
const NAN_HIGH = 0xfff80000

/**
 * Converts numbers to words in sort order, reversed for `desc`. NaN sorts after all numbers, and missing values are
 * last in both directions.
 */
export function wordsOfNumbers({ values, validity }: PlainNumbers, direction: 'asc' | 'desc'): SortWords {
  const { length } = values
  const words = new Uint32Array(values.buffer, values.byteOffset, length * 2)
  const high = new Uint32Array(length)
  const low = new Uint32Array(length)
  const turn = direction === 'asc' ? 0 : -1
  for (let row = 0; row < length; row++) {
    const value = values[row]
    if (value !== value) {
      const isMissing = validity !== undefined && !hasBit(validity, row)
      high[row] = isMissing ? LAST : NAN_HIGH
      low[row] = isMissing ? LAST : 0
    } else if (value === 0) {
      high[row] = 0x80000000 ^ turn
      low[row] = turn
    } else {
      const flip = value < 0 ? -1 : 0
      high[row] = words[row * 2 + 1] ^ (flip | 0x80000000) ^ turn
      low[row] = words[row * 2] ^ flip ^ turn
    }
  }
  return { high, low }
}

/**
 * Converts times to words in sort order, like `wordsOfNumbers`. The high words stay below `LAST`, which marks missing
 * values.
 */
export function wordsOfTimes({ high, low, validity }: PlainTimes, direction: 'asc' | 'desc'): SortWords {
  const { length } = high
  if (direction === 'asc' && validity === undefined) return { high, low }
  const sortHigh = new Uint32Array(length)
  const sortLow = new Uint32Array(length)
  for (let row = 0; row < length; row++) {
    const isMissing = validity !== undefined && !hasBit(validity, row)
    sortHigh[row] = isMissing ? LAST : direction === 'asc' ? high[row] : LAST - 1 - high[row]
    sortLow[row] = isMissing ? LAST : direction === 'asc' ? low[row] : LAST - low[row]
  }
  return { high: sortHigh, low: sortLow }
}

/** Returns a function that compares two rows by their words. */
export function comparerOfWords({ high, low }: SortWords): (a: number, b: number) => number {
  if (high === undefined) return (a, b) => low[a] - low[b]
  return (a, b) => high[a] - high[b] || low[a] - low[b]
}
