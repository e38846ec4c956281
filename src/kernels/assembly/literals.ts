import * as layout from '../layout'

/** The number of positions tested at once until a probe byte matches. */
const STRIDE = 64

/**
 * Returns a mask of the positions, among sixteen, at which both probe bytes match. `a` and `b` are the addresses of the
 * probe bytes at the first position.
 */
function probeHits(a: usize, b: usize, byteA: v128, byteB: v128, maskA: v128, maskB: v128): v128 {
  return v128.and(i8x16.eq(v128.or(v128.load(a), maskA), byteA), i8x16.eq(v128.or(v128.load(b), maskB), byteB))
}

/** Returns whether both probe bytes match at any of the next `STRIDE` positions. */
function hasHits(a: usize, b: usize, byteA: v128, byteB: v128, maskA: v128, maskB: v128): bool {
  return v128.any_true(
    v128.or(
      v128.or(probeHits(a, b, byteA, byteB, maskA, maskB), probeHits(a + 16, b + 16, byteA, byteB, maskA, maskB)),
      v128.or(
        probeHits(a + 32, b + 32, byteA, byteB, maskA, maskB),
        probeHits(a + 48, b + 48, byteA, byteB, maskA, maskB),
      ),
    ),
  )
}

/**
 * Returns whether the needle is at a position. Before the comparison each byte of the text is or-ed with its mask: 0x20
 * if case is ignored, else 0.
 */
function isAt(at: usize, needle: usize, masks: usize, length: u32): bool {
  for (let k: u32 = 0; k < length; k++) {
    if ((load<u8>(at + k) | load<u8>(masks + k)) != load<u8>(needle + k)) return false
  }
  return true
}

/** See `Kernels.findLiteral`. */
export function findLiteral(
  text: usize,
  from: u32,
  end: u32,
  offsets: usize,
  needle: usize,
  length: u32,
  masks: usize,
  probeA: u32,
  probeB: u32,
  edges: u32,
  wordTable: usize,
  bitmap: usize,
): void {
  const byteA = i8x16.splat(load<u8>(needle + probeA))
  const byteB = i8x16.splat(load<u8>(needle + probeB))
  const maskA = i8x16.splat(load<u8>(masks + probeA))
  const maskB = i8x16.splat(load<u8>(masks + probeB))
  const textA = text + probeA
  const textB = text + probeB
  /** The address, in `offsets`, of the current row's start offset. */
  let row = offsets
  let at = from
  let triedEnd = from
  if (end < length) return
  const last = end - length
  while (at <= last) {
    if (triedEnd <= at) {
      while (at <= last && !hasHits(textA + at, textB + at, byteA, byteB, maskA, maskB)) at += STRIDE
      triedEnd = at + STRIDE
      if (at > last) return
    }
    let next = at + 16
    for (
      let hits = u32(i8x16.bitmask(probeHits(textA + at, textB + at, byteA, byteB, maskA, maskB)));
      hits != 0;
      hits &= hits - 1
    ) {
      const place = at + ctz(hits)
      if (place > last) return
      if (!isAt(text + place, needle, masks, length)) continue
      while (load<u32>(row, 4) <= place) row += 4
      const rowEnd = load<u32>(row, 4)
      const placeEnd = place + length
      if (placeEnd > rowEnd) continue
      if (
        (edges & layout.Edge.START) != 0 &&
        place > load<u32>(row) &&
        load<u8>(wordTable + load<u8>(text + place - 1)) != 0
      )
        continue
      if ((edges & layout.Edge.END) != 0 && placeEnd < rowEnd && load<u8>(wordTable + load<u8>(text + placeEnd)) != 0)
        continue
      const bit = u32(row - offsets) >> 2
      const word = bitmap + ((bit >> 5) << 2)
      store<u32>(word, load<u32>(word) | (1 << (bit & 31)))
      // One match suffices, so the search continues with the next row.
      next = rowEnd
      break
    }
    at = next
  }
}
