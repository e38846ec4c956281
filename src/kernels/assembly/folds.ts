import * as layout from '../layout'

const DIGIT: u32 = layout.NumberFlag.DIGIT
/** Flags of all digits, also hexadecimal ones. */
const ANY_DIGIT: u32 = layout.NumberFlag.DIGIT | layout.NumberFlag.HEX_LETTER
const BARS_END: u32 = layout.NumberFlag.BARS_END
const LESS: u8 = 0x3c
const DASH: u8 = 0x2d
const DOT: u8 = 0x2e
const SLASH: u8 = 0x2f
const COLON: u8 = 0x3a
const COMMA: u8 = 0x2c
const PLUS: u8 = 0x2b
const SPACE: u8 = 0x20
const T: u8 = 0x54
const Z: u8 = 0x5a
const NUMBER = u8(layout.Placeholder.NUMBER)
const UUID = u8(layout.Placeholder.UUID)
const IP4 = u8(layout.Placeholder.IP4)
const TIME = u8(layout.Placeholder.TIME)
const DATE = u8(layout.Placeholder.DATE)
const DATETIME = u8(layout.Placeholder.DATETIME)

/** Returns the table entry with the name of the placeholder at `at`; 0 if there is no placeholder. */
function nameAt(at: usize, end: usize, tables: usize): usize {
  const names = tables + layout.FoldTables.NAMES_AT
  for (let name = names; name < names + layout.FoldTables.NAMES_BYTES; name += layout.FoldTables.NAME_BYTES) {
    const length = load<u8>(name, layout.FoldTables.NAME_LENGTH_AT)
    if (at + length > end) continue
    let k: usize = 0
    while (k < length && load<u8>(at + k) == load<u8>(name + k)) k++
    if (k == length) return name
  }
  return 0
}

/** Returns the end of the number, or of its placeholder, that begins at `at`; 0 if there is none. */
function endOfNumber(at: usize, end: usize, tables: usize): usize {
  if (load<u8>(at) == LESS) {
    const name = nameAt(at, end, tables)
    const isNumber = name != 0 && load<u8>(name, layout.FoldTables.NAME_PLACEHOLDER_AT) == NUMBER
    return isNumber ? at + load<u8>(name, layout.FoldTables.NAME_LENGTH_AT) : 0
  }
  let next = at
  let common = ANY_DIGIT
  let flags: u32 = load<u8>(tables + load<u8>(at))
  while ((flags & ANY_DIGIT) != 0) {
    common &= flags
    next++
    flags = next < end ? load<u8>(tables + load<u8>(next)) : 0
  }
  const length = next - at
  if (length == 0 || (flags & BARS_END) != 0) return 0
  return (common & DIGIT) != 0 || (length >= 4 && (length & 1) == 0) ? next : 0
}

function isSeparator(byte: u8): bool {
  return byte == DASH || byte == DOT || byte == COLON || byte == SLASH || byte == COMMA
}

/**
 * Replaces each `count` numbers with `separator` between them by `placeholder`; with `hasFraction` also one more number
 * after a dot or a comma. Returns the new end.
 */
function foldGroup(
  start: usize,
  end: usize,
  separator: u8,
  count: usize,
  placeholder: u8,
  hasFraction: bool = false,
): usize {
  const groupBytes = count + count - 1
  if (end - start < groupBytes) return end
  let to = start
  for (let at = start; at < end;) {
    let length: usize = 0
    while (
      length < groupBytes &&
      at + length < end &&
      load<u8>(at + length) == ((length & 1) == 0 ? NUMBER : separator)
    )
      length++
    if (length != groupBytes) {
      store<u8>(to++, load<u8>(at++))
      continue
    }
    store<u8>(to++, placeholder)
    at += groupBytes
    if (hasFraction && at + 1 < end && load<u8>(at, 1) == NUMBER) {
      const byte = load<u8>(at)
      if (byte == DOT || byte == COMMA) at += 2
    }
  }
  return to
}

/**
 * Replaces the known groups of numbers in `[start, end)`: UUIDs, IPv4 addresses, times and dates. Returns the new end.
 */
function foldGroups(start: usize, end: usize): usize {
  let to = foldGroup(start, end, DASH, 5, UUID)
  to = foldGroup(start, to, DOT, 4, IP4)
  to = foldGroup(start, to, COLON, 3, TIME, true)
  to = foldGroup(start, to, DASH, 3, DATE)
  return foldGroup(start, to, SLASH, 3, DATE)
}

/** Replaces each date with a time and its zone. Returns the new end. */
function foldDateTimes(start: usize, end: usize): usize {
  let to = start
  for (let at = start; at < end;) {
    const byte = load<u8>(at)
    if (
      byte != DATE ||
      at + 2 >= end ||
      load<u8>(at, 2) != TIME ||
      (load<u8>(at, 1) != T && load<u8>(at, 1) != SPACE)
    ) {
      store<u8>(to++, byte)
      at++
      continue
    }
    store<u8>(to++, DATETIME)
    at += 3
    if (at == end) break
    const zone = load<u8>(at)
    if (zone == Z) at++
    else if (
      (zone == PLUS || zone == DASH) &&
      at + 3 < end &&
      load<u8>(at, 1) == NUMBER &&
      load<u8>(at, 2) == COLON &&
      load<u8>(at, 3) == NUMBER
    )
      at += 4
  }
  return to
}

/**
 * Returns a mask of the bytes, among sixteen, that are in a set. `bits` has for each byte the bit of its upper half.
 */
function bitsInSet(set: v128, lowHalves: v128, bits: v128): u32 {
  return u32(i8x16.bitmask(i8x16.ne(v128.and(i8x16.swizzle(set, lowHalves), bits), i8x16.splat(0))))
}

/** See `Kernels.foldNumbers`. */
export function foldNumbers(text: usize, end: usize, out: usize, tables: usize, isPretty: bool): usize {
  const digits = v128.load(tables, layout.FoldTables.DIGITS_AT)
  const barring = v128.load(tables, layout.FoldTables.BARRING_AT)
  const halves = v128.load(tables, layout.FoldTables.HALVES_AT)
  let to = out
  /** 1 if no number can start at `at`, because of the byte before. */
  let isBarred: u32 = 0
  let hasDate = false
  for (let at = text; at < end;) {
    const bytes = v128.load(at)
    const lowHalves = v128.and(bytes, i8x16.splat(15))
    const bits = i8x16.swizzle(halves, i8x16.shr_u(bytes, 4))
    const bars = bitsInSet(barring, lowHalves, bits)
    const begins =
      (bitsInSet(digits, lowHalves, bits) & ~((bars << 1) | isBarred)) |
      u32(i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(LESS))))
    v128.store(to, bytes)
    const plain = min<usize>(ctz(begins | 0x10000), end - at)
    at += plain
    to += plain
    if (plain == 16) {
      isBarred = (bars >> 15) & 1
      continue
    }
    if (at == end) break
    let next = endOfNumber(at, end, tables)
    isBarred = 0
    if (next == 0) {
      const byte = load<u8>(at)
      const name = byte == LESS ? nameAt(at, end, tables) : 0
      const placeholder = name == 0 ? byte : load<u8>(name, layout.FoldTables.NAME_PLACEHOLDER_AT)
      if (placeholder == DATE) hasDate = true
      store<u8>(to++, placeholder)
      at += name == 0 ? 1 : load<u8>(name, layout.FoldTables.NAME_LENGTH_AT)
      // A digit bars a number after it.
      if (byte != LESS) isBarred = 1
      continue
    }
    const first = to
    store<u8>(to++, NUMBER)
    at = next
    while (at + 1 < end && isSeparator(load<u8>(at))) {
      next = endOfNumber(at + 1, end, tables)
      if (next == 0) break
      store<u8>(to++, load<u8>(at))
      store<u8>(to++, NUMBER)
      at = next
    }
    if (!isPretty) continue
    // Numbers of a group have only separators between them, so no group extends beyond these numbers.
    to = foldGroups(first, to)
    for (let i = first; i < to; i++) if (load<u8>(i) == DATE) hasDate = true
  }
  return isPretty && hasDate ? foldDateTimes(out, to) : to
}
