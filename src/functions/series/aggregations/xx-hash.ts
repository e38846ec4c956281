const MASK = 0xffff_ffff_ffff_ffffn
const P1 = 0x9e37_79b1_85eb_ca87n
const P2 = 0xc2b2_ae3d_27d4_eb4fn
const P3 = 0x1656_67b1_9e37_79f9n
const P4 = 0x85eb_ca77_c2b2_ae63n
const P5 = 0x27d4_eb2f_1656_67c5n

function rotate(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK
}

function round(accumulator: bigint, input: bigint): bigint {
  return (rotate((accumulator + input * P2) & MASK, 31n) * P1) & MASK
}

function mergeRound(hash: bigint, accumulator: bigint): bigint {
  return ((hash ^ round(0n, accumulator)) * P1 + P4) & MASK
}

/** The 64-bit xxHash of some bytes, seed 0. Runs once for each series, so BigInt will do. */
export function xxHash64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = bytes.length
  let at = 0
  let hash: bigint
  if (size >= 32) {
    let a = (P1 + P2) & MASK
    let b = P2
    let c = 0n
    let d = -P1 & MASK
    for (; at + 32 <= size; at += 32) {
      a = round(a, view.getBigUint64(at, true))
      b = round(b, view.getBigUint64(at + 8, true))
      c = round(c, view.getBigUint64(at + 16, true))
      d = round(d, view.getBigUint64(at + 24, true))
    }
    hash = (rotate(a, 1n) + rotate(b, 7n) + rotate(c, 12n) + rotate(d, 18n)) & MASK
    for (const part of [a, b, c, d]) hash = mergeRound(hash, part)
  } else {
    hash = P5
  }
  hash = (hash + BigInt(size)) & MASK
  for (; at + 8 <= size; at += 8) {
    hash = (rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4) & MASK
  }
  if (at + 4 <= size) {
    hash = (rotate(hash ^ ((BigInt(view.getUint32(at, true)) * P1) & MASK), 23n) * P2 + P3) & MASK
    at += 4
  }
  for (; at < size; at++) hash = (rotate(hash ^ ((BigInt(bytes[at]) * P5) & MASK), 11n) * P1) & MASK
  hash = ((hash ^ (hash >> 33n)) * P2) & MASK
  hash = ((hash ^ (hash >> 29n)) * P3) & MASK
  return hash ^ (hash >> 32n)
}
