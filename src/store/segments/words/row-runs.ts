import { numbersOf, readBits, writeBits } from '../codings/bit-codings.ts'

/*
 * A run holds the rows of one word, as bytes that can be decoded without the runs of other words. The length of a run
 * follows from its number of rows, so the offsets of runs are not stored. Let `low` be the largest number for which
 * count * 2 ** low <= rowCount. A run has two parts: first the lowest `low` bits of each row, without gaps; then, from
 * the next whole byte on, bits of which bit (row >>> low) + i is set for the i-th row. If two bytes per row take no
 * more, the run has these instead.
 */

function lowBitsOf(count: number, rowCount: number): number {
  return count < rowCount ? 31 - Math.clz32(rowCount / count) : 0
}

const lowBytes = (count: number, low: number): number => (count * low + 7) >>> 3
const highBytes = (count: number, low: number, rowCount: number): number => (count + ((rowCount - 1) >>> low) + 7) >>> 3

function isPlain(count: number, low: number, rowCount: number): boolean {
  return count * 2 <= lowBytes(count, low) + highBytes(count, low, rowCount)
}

/** Returns the bytes of a run of `count` out of `rowCount` rows. */
export function runBytes(count: number, rowCount: number): number {
  // Most words occur in one row only.
  if (count === 1) return 2
  const low = lowBitsOf(count, rowCount)
  return Math.min(count * 2, lowBytes(count, low) + highBytes(count, low, rowCount))
}

/** Writes ascending rows from offset `at`, into bytes that are zero. */
export function encodeRun(rows: Uint16Array, rowCount: number, into: Buffer, at: number): void {
  const { length: count } = rows
  const low = lowBitsOf(count, rowCount)
  if (isPlain(count, low, rowCount)) {
    for (let i = 0; i < count; i++) into.writeUInt16LE(rows[i], at + i * 2)
    return
  }
  const numbers = numbersOf(count)
  const high = at + lowBytes(count, low)
  for (let i = 0; i < count; i++) {
    numbers[i] = rows[i] & ((1 << low) - 1)
    const bit = (rows[i] >>> low) + i
    into[high + (bit >>> 3)] |= 1 << (bit & 7)
  }
  writeBits(numbers, count, low, into, at)
}

/** Decodes the run of rows at `at`; returns `undefined` when it is not a run of `count` rows. */
export function decodeRun(bytes: Buffer, at: number, count: number, rowCount: number): Uint16Array | undefined {
  const rows = new Uint16Array(count)
  const low = lowBitsOf(count, rowCount)
  if (isPlain(count, low, rowCount)) {
    for (let i = 0; i < count; i++) rows[i] = bytes[at + i * 2] | (bytes[at + i * 2 + 1] << 8)
    return rows[count - 1] < rowCount ? rows : undefined
  }
  const numbers = numbersOf(count)
  readBits(bytes, at, low, numbers, count)
  const from = at + lowBytes(count, low)
  const end = from + highBytes(count, low, rowCount)
  let found = 0
  for (let offset = from; offset < end; offset++) {
    let byte = bytes[offset]
    while (byte !== 0) {
      if (found === count) return undefined
      const lowest = byte & -byte
      const high = ((offset - from) << 3) + 31 - Math.clz32(lowest) - found
      rows[found] = (high << low) | numbers[found]
      found++
      byte ^= lowest
    }
  }
  return found === count && rows[count - 1] < rowCount ? rows : undefined
}
