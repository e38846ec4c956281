import * as layout from '../layout'
import { eightDigits, isPlainNumber, writeNumber } from './decimals'
import { BACKSLASH, CLOSE_BRACE, DOT, OPEN_BRACE, QUOTE, SPACE, ZERO, ZEROS } from './ascii'

/** The two characters `Z"`, little-endian. */
const TIME_END: u16 = 0x225a

/**
 * Returns a mask of the bytes, among sixteen, that JSON must escape or that are not ASCII. Bytes beyond ASCII are
 * negative.
 */
function specials(bytes: v128): u32 {
  const isQuoted = v128.or(i8x16.eq(bytes, i8x16.splat(QUOTE)), i8x16.eq(bytes, i8x16.splat(BACKSLASH)))
  return i8x16.bitmask(v128.or(i8x16.lt_s(bytes, i8x16.splat(SPACE)), isQuoted))
}

/** Copies the bytes `[at, end)` with escapes and returns the end of the output; 0 if a byte has no short escape. */
function writeEscaped(at: usize, end: usize, out: usize, escapes: usize): usize {
  while (at < end) {
    const bytes = v128.load(at)
    v128.store(out, bytes)
    let special = specials(bytes)
    let length: u32 = 16
    if (end - at < 16) {
      length = u32(end - at)
      special &= (1 << length) - 1
    }
    if (special == 0) {
      at += length
      out += length
      continue
    }
    length = ctz(special)
    at += length
    out += length
    const escape = load<u8>(escapes + load<u8>(at))
    if (escape == 0) return 0
    store<u8>(out, BACKSLASH)
    store<u8>(out, escape, 1)
    at++
    out += 2
  }
  return out
}

/** See `Kernels.quoteStrings`. */
export function quoteStrings(range: usize, stride: u32, count: u32, out: usize, escapes: usize, refused: usize): usize {
  for (; count != 0; count--, range += stride) {
    const at = load<usize>(range)
    if (at == 0) continue
    store<u8>(out, QUOTE)
    const end = writeEscaped(at, at + load<u32>(range, layout.Range.LENGTH_AT), out + 1, escapes)
    if (end == 0) {
      store<u32>(range, layout.Range.BY_VALUE, layout.Range.LENGTH_AT)
      store<u32>(refused, load<u32>(refused) + 1)
      continue
    }
    store<u8>(end, QUOTE)
    store<usize>(range, out)
    store<u32>(range, u32(end + 1 - out), layout.Range.LENGTH_AT)
    out = end + 1
  }
  return out
}

/** See `Kernels.writeNumbers`. */
export function writeNumbers(
  range: usize,
  stride: u32,
  count: u32,
  values: usize,
  out: usize,
  tables: usize,
  refused: usize,
): usize {
  for (; count != 0; count--, range += stride, values += 8) {
    const value = load<f64>(values)
    if (!isPlainNumber(value)) {
      store<u32>(range, layout.Range.BY_VALUE, layout.Range.LENGTH_AT)
      store<u32>(refused, load<u32>(refused) + 1)
      continue
    }
    const end = writeNumber(value, out, tables)
    store<usize>(range, out)
    store<u32>(range, u32(end - out), layout.Range.LENGTH_AT)
    out = end
  }
  return out
}

/** Writes seconds with nine fraction digits and the bytes that end the JSON string. */
function writeSeconds(nanos: u64, out: usize): usize {
  const seconds = nanos / 1_000_000_000
  const fraction = nanos - seconds * 1_000_000_000
  const tens = u32(seconds) / 10
  const first = fraction / 100_000_000
  store<u8>(out, ZERO + u8(tens))
  store<u8>(out, ZERO + u8(u32(seconds) - tens * 10), 1)
  store<u8>(out, DOT, 2)
  store<u8>(out, ZERO + u8(first), 3)
  store<u64>(out, eightDigits(fraction - first * 100_000_000) + ZEROS, 4)
  store<u16>(out, TIME_END, 12)
  return out + layout.TimeText.TAIL_BYTES
}

/** See `Kernels.writeTimes`. */
export function writeTimes(
  range: usize,
  stride: u32,
  count: u32,
  nanos: usize,
  prefix: usize,
  prefixBytes: u32,
  out: usize,
): usize {
  for (; count != 0; count--, range += stride, nanos += 8) {
    const value = load<f64>(nanos)
    if (!(value >= 0)) continue
    v128.store(out, v128.load(prefix))
    v128.store(out, v128.load(prefix, 16), 16)
    const end = writeSeconds(u64(value), out + prefixBytes)
    store<usize>(range, out)
    store<u32>(range, u32(end - out), layout.Range.LENGTH_AT)
    out = end
  }
  return out
}

/**
 * Copies the bytes of a range and returns the end of the output. It always copies 32 bytes first: most ranges are no
 * longer, and the copy costs less than a branch.
 */
function copyPiece(range: usize, out: usize): usize {
  const from = load<usize>(range)
  const length = load<u32>(range, layout.Range.LENGTH_AT)
  v128.store(out, v128.load(from))
  v128.store(out, v128.load(from, 16), 16)
  for (let done: u32 = 32; done < length; done += 16) v128.store(out + done, v128.load(from + done))
  return out + length
}

/** See `Kernels.joinPieces`. */
export function joinPieces(
  range: usize,
  columns: u32,
  columnsAt: usize,
  rows: u32,
  separator: u32,
  separatorBytes: u32,
  out: usize,
): usize {
  for (; rows != 0; rows--) {
    store<u16>(out, separator)
    out += separatorBytes
    const start = out
    const columnsEnd = columnsAt + columns * layout.COLUMN_BYTES
    for (let column = columnsAt; column < columnsEnd; column += layout.COLUMN_BYTES, range += layout.Range.BYTES) {
      const value = load<u32>(range, layout.Range.LENGTH_AT) == 0 ? column + layout.Range.BYTES : range
      if (load<u32>(value, layout.Range.LENGTH_AT) != 0) out = copyPiece(value, copyPiece(column, out))
    }
    if (out == start) out++
    // The first member has no comma before it: the brace takes its place.
    store<u8>(start, OPEN_BRACE)
    store<u8>(out++, CLOSE_BRACE)
  }
  return out
}
