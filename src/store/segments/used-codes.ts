import type { Codes } from '../../data/index.ts'

/**
 * Cached results. The writer of a file needs the codes twice, for its values and its filter, and queries need them
 * again.
 */
const known = new WeakMap<Codes, Uint32Array>()

/**
 * Returns the codes that occur in some row, ascending, without code 0. Codes of sealed segments do not change, so the
 * result is cached.
 */
export function usedCodes(codes: Codes): Uint32Array {
  let used = known.get(codes)
  if (used === undefined) known.set(codes, (used = findUsed(codes)))
  return used
}

/**
 * Collects the codes in a bitmap and reads it 32 codes at a time, since a segment uses few codes of a large dictionary.
 */
function findUsed(codes: Codes): Uint32Array {
  let max = 0
  for (let i = 0; i < codes.length; i++) if (codes[i] > max) max = codes[i]
  const bits = new Uint32Array((max >>> 5) + 1)
  let count = 0
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]
    const bit = 1 << (code & 31)
    if ((bits[code >>> 5] & bit) !== 0) continue
    bits[code >>> 5] |= bit
    if (code !== 0) count++
  }
  bits[0] &= ~1
  const used = new Uint32Array(count)
  let at = 0
  for (let word = 0; word < bits.length; word++) {
    for (let left = bits[word]; left !== 0; left &= left - 1) used[at++] = word * 32 + (31 - Math.clz32(left & -left))
  }
  return used
}
