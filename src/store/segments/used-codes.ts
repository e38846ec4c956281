import type { Codes } from '../../data/index.ts'

/** The codes that some row has, ascending; 0 is none. */
export function usedCodes(codes: Codes): Uint32Array {
  let max = 0
  for (let i = 0; i < codes.length; i++) if (codes[i] > max) max = codes[i]
  const isUsed = new Uint8Array(max + 1)
  for (let i = 0; i < codes.length; i++) isUsed[codes[i]] = 1
  let count = 0
  for (let code = 1; code <= max; code++) count += isUsed[code]
  const used = new Uint32Array(count)
  for (let code = 1, at = 0; code <= max; code++) if (isUsed[code] === 1) used[at++] = code
  return used
}
