import type { Codes } from '../../data/index.ts'

/** A file wants them several times: for its values, its filter and what many segments are asked for. */
const known = new WeakMap<Codes, Uint32Array>()

/** The codes that some row has, ascending; 0 is none. Codes that are sealed do not change. */
export function usedCodes(codes: Codes): Uint32Array {
  let used = known.get(codes)
  if (used === undefined) known.set(codes, (used = findUsed(codes)))
  return used
}

/** A dictionary of millions of values has few of them in one segment, so 32 codes at once are looked at. */
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
