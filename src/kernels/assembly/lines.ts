import * as layout from '../layout'
import { BACKSLASH, CARRIAGE_RETURN, DOT, LINE_FEED, MINUS, QUOTE, SPACE, ZERO } from './ascii'

/** The last four bytes of `true`, `false` and `null`. */
const TRUE: u32 = 0x65757274
const ALSE: u32 = 0x65736c61
const NULL: u32 = 0x6c6c756e

/** Results of the functions below beside the address that each returns. */
let kind: u32 = 0
let isDropped: bool = false
let recordEnd: usize = 0

/** Whether the bytes of a literal stand at a position. */
function isLiteralAt(at: usize, literal: usize, blocks: u32): bool {
  for (; blocks != 0; blocks--, at += 16, literal += layout.BLOCK_BYTES) {
    const difference = v128.xor(v128.load(at), v128.load(literal))
    if (v128.any_true(v128.and(difference, v128.load(literal, 16)))) return false
  }
  return true
}

function isDigit(byte: u8): bool {
  return byte - ZERO < 10
}

/** Whether four hex digits stand at a position. */
function isHex(at: usize): bool {
  for (let k: usize = 0; k < 4; k++) {
    const byte = load<u8>(at + k)
    if (!isDigit(byte) && (byte | 0x20) - 0x61 >= 6) return false
  }
  return true
}

/** From after a backslash to after the escape sequence; 0 when there is none. */
function escapeEnd(at: usize): usize {
  switch (load<u8>(at)) {
    case 0x22: // "
    case 0x5c: // \
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 1
    case 0x75: // u
      return isHex(at + 1) ? at + 5 : 0
    default:
      return 0
  }
}

/** From after the opening quote to the closing one; 0 when the string is not well-formed. Sets `kind`. */
function stringEnd(at: usize): usize {
  kind = 0
  let highBit = i8x16.splat(i8(0x80))
  while (true) {
    const bytes = v128.load(at)
    const isSyntax = v128.or(
      v128.or(i8x16.lt_u(bytes, i8x16.splat(SPACE)), i8x16.eq(bytes, i8x16.splat(QUOTE))),
      v128.or(i8x16.eq(bytes, i8x16.splat(BACKSLASH)), v128.and(bytes, highBit)),
    )
    const special = i8x16.bitmask(isSyntax)
    if (special == 0) {
      at += 16
      continue
    }
    at += ctz(special)
    const byte = load<u8>(at)
    if (byte == QUOTE) return at
    if (byte < SPACE) return 0
    if (byte > 0x7f) {
      // One such byte is enough to know; later ones are passed over.
      kind |= layout.KIND_WIDE
      highBit = i8x16.splat(0)
      continue
    }
    kind |= layout.KIND_ESCAPED
    at = escapeEnd(at + 1)
    if (at == 0) return 0
  }
}

function isNeedleAt(at: usize, needle: usize, masks: usize, length: u32): bool {
  for (let k: u32 = 0; k < length; k++)
    if ((load<u8>(at + k) | load<u8>(masks + k)) != load<u8>(needle + k)) return false
  return true
}

/** Whether the bytes `[from, end)` contain a needle: its first and last bytes are compared at sixteen positions at a time. */
function hasNeedle(from: usize, end: usize, needle: usize): bool {
  const text = load<usize>(needle, layout.NEEDLE_TEXT_AT)
  const masks = load<usize>(needle, layout.NEEDLE_MASKS_AT)
  const length = load<u32>(needle, layout.NEEDLE_LENGTH_AT)
  const lastByte = length - 1
  const byteA = i8x16.splat(load<u8>(text))
  const byteB = i8x16.splat(load<u8>(text + lastByte))
  const maskA = i8x16.splat(load<u8>(masks))
  const maskB = i8x16.splat(load<u8>(masks + lastByte))
  for (let at = from; at + length <= end; at += 16) {
    let hits = i8x16.bitmask(
      v128.and(
        i8x16.eq(v128.or(v128.load(at), maskA), byteA),
        i8x16.eq(v128.or(v128.load(at + lastByte), maskB), byteB),
      ),
    )
    for (; hits != 0; hits &= hits - 1) {
      const place = at + ctz(hits)
      if (place + length > end) return false
      if (isNeedleAt(place, text, masks, length)) return true
    }
  }
  return false
}

function hasNeedles(from: usize, end: usize, first: usize): bool {
  for (let needle = first; needle != 0; needle = load<usize>(needle, layout.NEEDLE_NEXT_AT))
    if (!hasNeedle(from, end, needle)) return false
  return true
}

/** A number without exponent; lines with others are left to the general reader. */
function numberEnd(at: usize): usize {
  if (load<u8>(at) == MINUS) at++
  const first = load<u8>(at++)
  if (!isDigit(first)) return 0
  if (first != ZERO) while (isDigit(load<u8>(at))) at++
  if (load<u8>(at) != DOT) return at
  if (!isDigit(load<u8>(++at))) return 0
  while (isDigit(load<u8>(at))) at++
  return at
}

/** The end of a value that is no string; 0 when it is not well-formed or has an exponent. Sets `kind`. */
function valueEnd(at: usize): usize {
  switch (load<u8>(at)) {
    case 0x74: // t
      kind = layout.KIND_TRUE
      return load<u32>(at) == TRUE ? at + 4 : 0
    case 0x66: // f
      kind = layout.KIND_FALSE
      return load<u32>(at, 1) == ALSE ? at + 5 : 0
    case 0x6e: // n
      kind = layout.KIND_NULL
      return load<u32>(at) == NULL ? at + 4 : 0
    default:
      kind = layout.KIND_NUMBER
      return numberEnd(at)
  }
}

/** From the start of a line to the start of the next, 0 when the template does not fit. Writes the kept values from `record` on. */
function lineEnd(line: usize, template: usize, record: usize): usize {
  let at = line
  let member = template + 4
  isDropped = false
  for (let rest = load<u32>(template); ; rest--, member += layout.MEMBER_BYTES) {
    if (!isLiteralAt(at, load<usize>(member, layout.MEMBER_LITERAL_AT), load<u32>(member, layout.MEMBER_BLOCKS_AT)))
      return 0
    at += load<u32>(member, layout.MEMBER_LENGTH_AT)
    if (rest == 0) break
    let start = at
    let end: usize
    if (load<u8>(at) == QUOTE) {
      start++
      end = stringEnd(start)
      if (end == 0) return 0
      if (kind == 0 && !isDropped) isDropped = !hasNeedles(start, end, load<usize>(member, layout.MEMBER_NEEDLES_AT))
      at = end + 1
    } else {
      end = valueEnd(at)
      if (end == 0) return 0
      at = end
    }
    if (load<u32>(member, layout.MEMBER_IS_KEPT_AT) != 0) {
      store<usize>(record, start)
      store<usize>(record, end | (kind << layout.KIND_SHIFT), 4)
      record += 8
    }
  }
  recordEnd = record
  if (load<u8>(at) == CARRIAGE_RETURN) at++
  return load<u8>(at) == LINE_FEED ? at + 1 : 0
}

/** See `Kernels.scanLines`. */
export function scanLines(
  from: usize,
  end: usize,
  out: usize,
  outEnd: usize,
  templates: usize,
  template: u32,
  state: usize,
): void {
  const templateCount = load<u32>(templates)
  let at = from
  let stop: u32 = layout.STOP_END
  while (at < end) {
    if (out > outEnd) {
      stop = layout.STOP_FULL
      break
    }
    let next: usize = 0
    for (let tries: u32 = 0; tries < templateCount; tries++) {
      next = lineEnd(at, load<usize>(templates + (template << 2), 4), out + 4)
      if (next != 0) break
      template = template + 1 < templateCount ? template + 1 : 0
    }
    if (next == 0) {
      stop = layout.STOP_UNKNOWN
      break
    }
    store<usize>(out, at | ((isDropped ? layout.RECORD_DROPPED : template) << layout.TEMPLATE_SHIFT))
    out = isDropped ? out + 4 : recordEnd
    at = next
  }
  store<usize>(state, at, layout.SCAN_POSITION_AT)
  store<usize>(state, out, layout.SCAN_OUT_AT)
  store<u32>(state, template, layout.SCAN_TEMPLATE_AT)
  store<u32>(state, stop, layout.SCAN_STOP_AT)
}
