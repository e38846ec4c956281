import { work } from '../../../base/index.ts'
import { createBitmap, hasBit, setBit, type Bitmap } from '../../../data/index.ts'
import { segmentRows } from '../../../store/index.ts'

/** As many as were borrowed at one time. */
const spare: Bitmap[] = []

/**
 * A copy until it is given back. A new one for each segment costs little by itself, but the collector walks the whole heap again after so
 * many bytes: with 10 million rows, conditions beside each other (Q15) take half as long again.
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

/** Clears the rows of `mask` for which `holds` returns false. */
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

/** Rows of lists, while these are compared; no rows otherwise. A bitmap for each segment would be most of the work. */
const listed = createBitmap(segmentRows)

/** Sets the bits of rows. */
export function addRows(target: Bitmap, rows: Uint16Array): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    target[row >>> 5] |= 1 << (row & 31)
  }
}

/** Clears all rows of `mask` that are not listed. */
export function keepListed(mask: Bitmap, lists: readonly Uint16Array[]): void {
  for (const rows of lists) addRows(listed, rows)
  for (let i = 0; i < mask.length; i++) mask[i] &= listed[i]
  unlist(lists)
}

/** How many different rows of a segment are listed. */
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

/** Returns the words `[first, end)` of a mask that contain rows. */
export function wordsInUse(mask: Bitmap): { readonly first: number; readonly end: number } {
  let first = 0
  let end = mask.length
  while (first < end && mask[first] === 0) first++
  while (end > first && mask[end - 1] === 0) end--
  return { first, end }
}
