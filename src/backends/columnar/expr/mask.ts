import type { Bitmap } from '../../../data/index.ts'

/** Clears the rows of `mask` for which `holds` says no. */
export function narrowRows(mask: Bitmap, holds: (row: number) => boolean): void {
  for (let i = 0; i < mask.length; i++) {
    let word = mask[i]
    if (word === 0) continue
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
