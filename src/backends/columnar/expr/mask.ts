import { work } from '../../../base/index.ts'
import { createBitmap, hasBit, setBit, type Bitmap } from '../../../data/index.ts'
import { segmentRows } from '../../../store/index.ts'

/** Bitmaps available for reuse; at most as many as were ever in use at the same time. */
const spare: Bitmap[] = []

/**
 * Returns a copy of a bitmap, in reused memory if possible; `giveBack` returns the memory. Allocating a bitmap for each
 * segment would trigger full garbage collections, which cost far more than the copies.
 */
export function borrowedCopy(bitmap: Bitmap): Bitmap {
  const last = spare.pop()
  if (last?.length !== bitmap.length) return bitmap.slice()
  last.set(bitmap)
  return last
}

export function giveBack(...bitmaps: readonly Bitmap[]): void {
  spare.push(...bitmaps)
}

/** Clears the bits of `mask` for the rows for which `holds` returns false. */
export function narrowRows(mask: Bitmap, holds: (row: number) => boolean): void {
  for (let i = 0; i < mask.length; i++) {
    let word = mask[i]
    if (word === 0) continue
    work(32)
    let kept = word
    while (word !== 0) {
      const low = word & -word
      if (!holds((i << 5) + 31 - Math.clz32(low))) kept ^= low
      word ^= low
    }
    mask[i] = kept
  }
}

/**
 * Bitmap for the rows of lists, empty between calls. Reused because allocating one for each segment would dominate the
 * cost.
 */
const listed = createBitmap(segmentRows)

/** Sets the bits of these rows in `target`. */
export function addRows(target: Bitmap, rows: Uint16Array): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    target[row >>> 5] |= 1 << (row & 31)
  }
}

/** Clears all bits of `mask` except those of rows that occur in at least one list. */
export function keepListed(mask: Bitmap, lists: readonly Uint16Array[]): void {
  for (const rows of lists) addRows(listed, rows)
  for (let i = 0; i < mask.length; i++) mask[i] &= listed[i]
  unlist(lists)
}

/** Returns the number of distinct rows in these lists of one segment. */
export function countListed(lists: readonly Uint16Array[]): number {
  let count = 0
  for (const rows of lists) {
    for (let i = 0; i < rows.length; i++) {
      if (hasBit(listed, rows[i])) continue
      setBit(listed, rows[i])
      count++
    }
  }
  unlist(lists)
  return count
}

function unlist(lists: readonly Uint16Array[]): void {
  for (const rows of lists) for (let i = 0; i < rows.length; i++) listed[rows[i] >>> 5] = 0
}

export function isEmptyMask(mask: Bitmap): boolean {
  for (let i = 0; i < mask.length; i++) if (mask[i] !== 0) return false
  return true
}

/** Returns the range `[first, end)` of 32-bit words of a mask that contains all set bits. */
export function wordsInUse(mask: Bitmap): { readonly first: number; readonly end: number } {
  let first = 0
  let end = mask.length
  while (first < end && mask[first] === 0) first++
  while (end > first && mask[end - 1] === 0) end--
  return { first, end }
}
