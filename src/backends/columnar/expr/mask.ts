import { work } from '../../../base/index.ts'
import { andInto, createBitmap, hasBit, setBit, type Bitmap } from '../../../data/index.ts'
import { segmentRows } from '../../../store/index.ts'

/** Rows that pass in a range: a bitmap over the segment's rows, or a list, ascending. */
export type PassingRows = Bitmap | Uint16Array

const spare: Bitmap[] = []
const MOST_SPARE = 16

/** A bitmap of so many words, whatever stands in it, until it is given back. New ones for each segment have the collector look through the whole heap several times a second. */
export function borrowedWords(words: number): Bitmap {
  const last = spare.pop()
  return last?.length === words ? last : new Uint32Array(words)
}

/** The same bits in a borrowed bitmap. */
export function borrowedCopy(bitmap: Bitmap): Bitmap {
  const copy = borrowedWords(bitmap.length)
  copy.set(bitmap)
  return copy
}

export function giveBack(...bitmaps: readonly Bitmap[]): void {
  for (const bitmap of bitmaps) if (spare.length < MOST_SPARE) spare.push(bitmap)
}

/** Clears the rows of `mask` for which `holds` says no. */
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

/** Whether so few rows are listed that `keepListed` does less than a look at all words of the mask. */
export function isShortList(rowCount: number, mask: Bitmap): boolean {
  return rowCount <= mask.length >>> 3
}

/** Clears all rows of `mask` but those that are listed. */
export function keepListed(mask: Bitmap, lists: readonly Uint16Array[]): void {
  const kept: number[] = []
  for (const rows of lists) for (const row of rows) if (((mask[row >>> 5] >>> (row & 31)) & 1) === 1) kept.push(row)
  mask.fill(0)
  for (const row of kept) mask[row >>> 5] |= 1 << (row & 31)
}

/** The rows listed, of `rowCount`. */
export function maskOfRows(rows: Uint16Array, rowCount: number): Bitmap {
  const mask = createBitmap(rowCount)
  for (const row of rows) setBit(mask, row)
  return mask
}

/** A bitmap of these rows, of `rowCount`, that may be changed. */
export function ownMask(rows: PassingRows, rowCount: number): Bitmap {
  return rows instanceof Uint16Array ? maskOfRows(rows, rowCount) : rows.slice()
}

/** Without rows but while lists are compared. */
const marked = createBitmap(segmentRows)

/** The rows of a segment that both have. */
export function inBoth(a: PassingRows, b: PassingRows): PassingRows {
  if (a instanceof Uint16Array) return b instanceof Uint16Array ? inBothLists(a, b) : inBitmap(a, b)
  if (b instanceof Uint16Array) return inBitmap(b, a)
  const both = a.slice()
  andInto(both, b)
  return both
}

function inBothLists(a: Uint16Array, b: Uint16Array): Uint16Array {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  for (let i = 0; i < short.length; i++) setBit(marked, short[i])
  const both = inBitmap(long, marked)
  for (let i = 0; i < short.length; i++) marked[short[i] >>> 5] = 0
  return both
}

function inBitmap(list: Uint16Array, bitmap: Bitmap): Uint16Array {
  const both = new Uint16Array(list.length)
  let count = 0
  // Without a branch: whether the next row is there cannot be foreseen.
  for (let i = 0; i < list.length; i++) {
    const row = list[i]
    both[count] = row
    count += (bitmap[row >>> 5] >>> (row & 31)) & 1
  }
  return both.subarray(0, count)
}

/** How many different rows of a segment are among the first `end` of a list in any order. */
export function countDifferent(rows: Uint16Array, end: number): number {
  let count = 0
  for (let i = 0; i < end; i++) {
    if (hasBit(marked, rows[i])) continue
    setBit(marked, rows[i])
    count++
  }
  for (let i = 0; i < end; i++) marked[rows[i] >>> 5] = 0
  return count
}

export function isEmptyMask(mask: Bitmap): boolean {
  for (let i = 0; i < mask.length; i++) if (mask[i] !== 0) return false
  return true
}

/** The words `[first, end)` of a mask that have rows. */
export function wordsInUse(mask: Bitmap): { readonly first: number; readonly end: number } {
  let first = 0
  let end = mask.length
  while (first < end && mask[first] === 0) first++
  while (end > first && mask[end - 1] === 0) end--
  return { first, end }
}
