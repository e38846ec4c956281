import { sharedMemory } from '../base/index.ts'

/**
 * A set of rows: bit `i` is set if row `i` is selected. Each element holds 32 rows, lowest bit first; bits after the
 * last row are 0.
 */
export type Bitmap = Uint32Array

export function createBitmap(length: number): Bitmap {
  return new Uint32Array((length + 31) >>> 5)
}

/** Allocates a bitmap in shared memory. */
export function createSharedBitmap(length: number): Bitmap {
  return new Uint32Array(sharedMemory(((length + 31) >>> 5) * 4))
}

export function hasBit(bitmap: Bitmap, index: number): boolean {
  return ((bitmap[index >>> 5] >>> (index & 31)) & 1) === 1
}

export function setBit(bitmap: Bitmap, index: number): void {
  bitmap[index >>> 5] |= 1 << (index & 31)
}

/** Sets the bits `[from, to)`. */
export function setRange(bitmap: Bitmap, from: number, to: number): void {
  if (from >= to) return
  const first = from >>> 5
  const last = (to - 1) >>> 5
  const head = -1 << (from & 31)
  const tail = -1 >>> (31 - ((to - 1) & 31))
  if (first === last) {
    bitmap[first] |= head & tail
    return
  }
  bitmap[first] |= head
  bitmap.fill(0xffffffff, first + 1, last)
  bitmap[last] |= tail
}

export function andInto(target: Bitmap, other: Bitmap): void {
  for (let i = 0; i < target.length; i++) target[i] &= other[i]
}

export function popcount(word: number): number {
  let w = word - ((word >>> 1) & 0x55555555)
  w = (w & 0x33333333) + ((w >>> 2) & 0x33333333)
  return Math.imul((w + (w >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Counts the set bits in each group of four bits. Four bits also hold the sum of three such results. */
function fours(word: number): number {
  const twos = word - ((word >>> 1) & 0x55555555)
  return (twos & 0x33333333) + ((twos >>> 2) & 0x33333333)
}

export function countBits(bitmap: Bitmap): number {
  const { length } = bitmap
  let count = 0
  let i = 0
  for (; i + 3 <= length; i += 3) {
    const sum = fours(bitmap[i]) + fours(bitmap[i + 1]) + fours(bitmap[i + 2])
    const bytes = (sum & 0x0f0f0f0f) + ((sum >>> 4) & 0x0f0f0f0f)
    count += Math.imul(bytes, 0x01010101) >>> 24
  }
  for (; i < length; i++) count += popcount(bitmap[i])
  return count
}

/** Returns the number of bits set in `[from, to)`. */
export function countRange(bitmap: Bitmap, from: number, to: number): number {
  if (from >= to) return 0
  const first = from >>> 5
  const last = (to - 1) >>> 5
  const head = -1 << (from & 31)
  const tail = -1 >>> (31 - ((to - 1) & 31))
  if (first === last) return popcount(bitmap[first] & head & tail)
  let count = popcount(bitmap[first] & head) + popcount(bitmap[last] & tail)
  for (let i = first + 1; i < last; i++) count += popcount(bitmap[i])
  return count
}

/** Returns the selected rows, ascending. */
export function rowsOfBitmap(bitmap: Bitmap, count = countBits(bitmap)): Uint32Array {
  const rows = new Uint32Array(count)
  let at = 0
  for (let i = 0; i < bitmap.length; i++) {
    let word = bitmap[i]
    const base = i << 5
    while (word !== 0) {
      const low = word & -word
      rows[at++] = base + 31 - Math.clz32(low)
      word ^= low
    }
  }
  return rows
}
