import { work } from '../../../base/index.ts'
import { andInto, type Bitmap } from '../../../data/index.ts'

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

/** Sets the bits of rows. */
export function addRows(target: Bitmap, rows: Uint16Array): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    target[row >>> 5] |= 1 << (row & 31)
  }
}

/** Clears all rows of `mask` but those that are listed. */
export function keepListed(mask: Bitmap, lists: readonly Uint16Array[]): void {
  const having = new Uint32Array(mask.length)
  for (const rows of lists) addRows(having, rows)
  andInto(mask, having)
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
