import { numbersOf, readBits, writeBits } from '../codings/bit-codings.ts'

/*
 * A run is the encoded list of the rows that contain one word. Each run can be decoded alone. Its length follows from
 * the number of rows, so the offsets of runs are not stored. Let `low` be the largest number for which count * 2 ** low
 * <= rowCount. A run has two parts: first the lowest `low` bits of each row, without gaps; then, from the next whole
 * byte on, a bitmap in which bit (row >>> low) + i is set for the i-th row. If two bytes per row take no more space,
 * the run has these instead.
 */

function lowBitsOf(count: number, rowCount: number): number {
  return count < rowCount ? 31 - Math.clz32(rowCount / count) : 0
}

const lowBytes = (count: number, low: number): number => (count * low + 7) >>> 3
const highBytes = (count: number, low: number, rowCount: number): number => (count + ((rowCount - 1) >>> low) + 7) >>> 3

function isPlain(count: number, low: number, rowCount: number): boolean {
  return count * 2 <= lowBytes(count, low) + highBytes(count, low, rowCount)
}

/** Returns the length of a run with `count` of `rowCount` rows, in bytes. */
export function runBytes(count: number, rowCount: number): number {
  // Fast path, since most words are in one row only.
  if (count === 1) return 2
  const low = lowBitsOf(count, rowCount)
  return Math.min(count * 2, lowBytes(count, low) + highBytes(count, low, rowCount))
}

/** Writes a run of ascending rows at offset `at`. The bytes must be zero before. */
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

/** Decodes the run at offset `at`; returns `undefined` if it is no run of `count` rows. */
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
