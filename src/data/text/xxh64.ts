const MASK = 0xffffffffffffffffn
/** The five primes of XXH64. */
const [P1, P2, P3, P4, P5] = [
  11400714785074694791n,
  14029467366897019727n,
  1609587929392839161n,
  9650029242287828579n,
  2870177450012600261n,
] as const

const ROTATIONS = [1n, 7n, 12n, 18n]

const encoder = new TextEncoder()

function rotate(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK
}

function round(accumulator: bigint, lane: bigint): bigint {
  return (rotate((accumulator + lane * P2) & MASK, 31n) * P1) & MASK
}

function mergeRound(hash: bigint, accumulator: bigint): bigint {
  return ((hash ^ round(0n, accumulator)) * P1 + P4) & MASK
}

/** Returns the XXH64 hash (seed 0) of bytes, or of a string in UTF-8, from 0 to 2^64-1. */
export function xxh64(data: string | Uint8Array): bigint {
  const bytes = typeof data === 'string' ? encoder.encode(data) : data
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 0
  let hash: bigint
  if (bytes.length >= 32) {
    const lanes = [(P1 + P2) & MASK, P2, 0n, (-P1 + 2n ** 64n) & MASK]
    for (; at + 32 <= bytes.length; at += 32) {
      for (const [i, lane] of lanes.entries()) lanes[i] = round(lane, view.getBigUint64(at + 8 * i, true))
    }
    hash = lanes.reduce((sum, lane, i) => sum + rotate(lane, ROTATIONS[i] ?? 0n), 0n) & MASK
    for (const lane of lanes) hash = mergeRound(hash, lane)
  } else {
    hash = P5
  }
  hash = (hash + BigInt(bytes.length)) & MASK
  for (; at + 8 <= bytes.length; at += 8) {
    hash = (rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4) & MASK
  }
  if (at + 4 <= bytes.length) {
    hash = (rotate(hash ^ ((BigInt(view.getUint32(at, true)) * P1) & MASK), 23n) * P2 + P3) & MASK
    at += 4
  }
  for (; at < bytes.length; at++) hash = (rotate(hash ^ ((BigInt(bytes[at] ?? 0) * P5) & MASK), 11n) * P1) & MASK
  hash = ((hash ^ (hash >> 33n)) * P2) & MASK
  hash = ((hash ^ (hash >> 29n)) * P3) & MASK
  return hash ^ (hash >> 32n)
}
