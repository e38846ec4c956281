/** Spreads 32 bits. */
function mix(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** As `recordHash`, from the two 32-bit words of the time. */
export function recordHashWords(timeHigh: number, timeLow: number, sequence: number): number {
  let h = mix(timeLow ^ 0x9e3779b9)
  h = mix(h ^ timeHigh)
  h = mix(h ^ (sequence % 0x100000000))
  return mix(h + Math.floor(sequence / 0x100000000))
}

/** 0 … 2^32-1 for a record, from its time and sequence alone: what `sample` chooses by. */
export function recordHash(timeNs: bigint, sequence: number): number {
  return recordHashWords(Number(BigInt.asUintN(32, timeNs >> 32n)), Number(BigInt.asUintN(32, timeNs)), sequence)
}
