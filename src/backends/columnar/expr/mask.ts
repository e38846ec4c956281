import { work } from '../../../base/index.ts'
import type { Bitmap } from '../../../data/index.ts'

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
