import * as layout from '../layout'
import {
  APOSTROPHE,
  BACKQUOTE,
  BACKSLASH,
  CARRIAGE_RETURN,
  COMMA,
  DOT,
  LINE_FEED,
  MINUS,
  QUOTE,
  SPACE,
  TAB,
  ZERO,
} from './ascii'

/** The last four bytes of `true`, `false` and `null` as little-endian integers. */
const TRUE: u32 = 0x65757274
const ALSE: u32 = 0x65736c61
const NULL: u32 = 0x6c6c756e

/**
 * The deepest nesting inside a JSON list that can be skipped. The type of each level is one bit of a 64-bit integer.
 */
const MAX_DEPTH: u32 = 63

/** Further results of the functions below, which return only an address. */
let kind: u32 = 0
let valueFrom: usize = 0
let valueTo: usize = 0
let isDropped: bool = false
let recordEnd: usize = 0

/**
 * Returns whether a literal is at a position. The upper four bits of an ASCII digit are 3, and stay 3 after 6 is added;
 * this identifies digits where the literal allows any digit.
 */
function isLiteralAt(at: usize, literal: usize, blocks: u32): bool {
  for (; blocks != 0; blocks--, at += 16, literal += layout.BLOCK_BYTES) {
    const bytes = v128.load(at)
    const expected = v128.load(literal)
    const mask = v128.load(literal, 16)
    const beyond = i8x16.add(bytes, v128.andnot(i8x16.splat(6), mask))
    const difference = v128.or(v128.xor(bytes, expected), v128.xor(beyond, expected))
    if (v128.any_true(v128.and(difference, mask))) return false
  }
  return true
}

function isDigit(byte: u8): bool {
  return byte - ZERO < 10
}

/** Returns whether four hex digits are at a position. */
function isHex(at: usize): bool {
  for (let k: usize = 0; k < 4; k++) {
    const byte = load<u8>(at + k)
    if (!isDigit(byte) && (byte | 0x20) - 0x61 >= 6) return false
  }
  return true
}

/** Returns the position after an escape sequence, given the one after its backslash; 0 when there is none. */
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

/**
 * Returns the position of the closing quote, given the one after the opening quote; 0 when the string is invalid. Sets
 * `kind`.
 */
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
      // The flag is set for the whole string, so later bytes beyond ASCII need no check.
      kind |= layout.Kind.WIDE
      highBit = i8x16.splat(0)
      continue
    }
    kind |= layout.Kind.ESCAPED
    at = escapeEnd(at + 1)
    if (at == 0) return 0
  }
}

function isNeedleAt(at: usize, needle: usize, masks: usize, length: u32): bool {
  for (let k: u32 = 0; k < length; k++)
    if ((load<u8>(at + k) | load<u8>(masks + k)) != load<u8>(needle + k)) return false
  return true
}

/**
 * Returns whether the bytes `[from, end)` contain a needle. It compares the needle's first and last byte at sixteen
 * positions at a time.
 */
function hasNeedle(from: usize, end: usize, needle: usize): bool {
  const text = load<usize>(needle, layout.Needle.TEXT_AT)
  const masks = load<usize>(needle, layout.Needle.MASKS_AT)
  const length = load<u32>(needle, layout.Needle.LENGTH_AT)
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
  for (let needle = first; needle != 0; needle = load<usize>(needle, layout.Needle.NEXT_AT))
    if (!hasNeedle(from, end, needle)) return false
  return true
}

/** Returns the end of a number without exponent; lines with an exponent go to the general reader. */
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

/**
 * Returns the end of a JSON value other than a string; 0 if the value is invalid, or a number with an exponent. Sets
 * `kind`.
 */
function valueEnd(at: usize): usize {
  switch (load<u8>(at)) {
    case 0x74: // t
      kind = layout.Kind.TRUE
      return load<u32>(at) == TRUE ? at + 4 : 0
    case 0x66: // f
      kind = layout.Kind.FALSE
      return load<u32>(at, 1) == ALSE ? at + 5 : 0
    case 0x6e: // n
      kind = layout.Kind.NULL
      return load<u32>(at) == NULL ? at + 4 : 0
    default:
      kind = layout.Kind.NUMBER
      return numberEnd(at)
  }
}

function skipBlanks(at: usize): usize {
  while (load<u8>(at) == SPACE || load<u8>(at) == TAB || load<u8>(at) == CARRIAGE_RETURN) at++
  return at
}

/** Returns the end of a JSON scalar; 0 if the scalar is invalid. */
function scalarEnd(at: usize): usize {
  if (load<u8>(at) != QUOTE) return valueEnd(at)
  const end = stringEnd(at + 1)
  return end == 0 ? 0 : end + 1
}

/**
 * Returns the position after the closing bracket of a JSON list, given the one after its opening bracket; 0 when the
 * list is invalid.
 */
function listEnd(at: usize): usize {
  let depth: u32 = 1
  // One bit per nesting level: set for an object, clear for a list.
  let isObject: u64 = 0
  let isEmpty = true
  while (depth != 0) {
    at = skipBlanks(at)
    let byte = load<u8>(at)
    const isMember = ((isObject >> depth) & 1) != 0
    if (isEmpty && byte == (isMember ? 0x7d : 0x5d)) {
      at++
      depth--
    } else {
      if (isMember) {
        if (byte != QUOTE) return 0
        at = stringEnd(at + 1)
        if (at == 0) return 0
        at = skipBlanks(at + 1)
        if (load<u8>(at) != 0x3a) return 0
        at = skipBlanks(at + 1)
        byte = load<u8>(at)
      }
      if (byte == 0x7b || byte == 0x5b) {
        if (depth == MAX_DEPTH) return 0
        depth++
        const bit = u64(1) << depth
        isObject = byte == 0x7b ? isObject | bit : isObject & ~bit
        isEmpty = true
        at++
        continue
      }
      at = scalarEnd(at)
      if (at == 0) return 0
    }
    // A value may end several levels; then a comma must follow.
    while (depth != 0) {
      at = skipBlanks(at)
      byte = load<u8>(at++)
      if (byte == COMMA) break
      if (byte != (((isObject >> depth) & 1) != 0 ? 0x7d : 0x5d)) return 0
      depth--
    }
    isEmpty = false
  }
  return at
}

/**
 * Each function from here to `memberEnd` reads one value: it sets `kind`, `valueFrom` and `valueTo`, and returns the
 * end of the value.
 */
function jsonEnd(at: usize): usize {
  valueFrom = at
  const byte = load<u8>(at)
  if (byte == QUOTE) {
    valueFrom++
    valueTo = stringEnd(valueFrom)
    return valueTo == 0 ? 0 : valueTo + 1
  }
  valueTo = byte == 0x5b ? listEnd(at + 1) : valueEnd(at)
  if (byte == 0x5b) kind = layout.Kind.LIST
  return valueTo
}

/** Reads an unquoted word. The word ends before the first byte that is not visible ASCII. */
function logfmtEnd(at: usize): usize {
  const byte = load<u8>(at)
  if (byte == QUOTE) {
    valueFrom = at + 1
    valueTo = textEnd(valueFrom, QUOTE, true)
    return valueTo == 0 ? 0 : valueTo + 1
  }
  if (byte == APOSTROPHE || byte == BACKQUOTE) return 0
  kind = layout.Kind.ASCII
  valueFrom = at
  while (load<u8>(at) - 0x21 < 0x5e) at++
  valueTo = at
  return load<u8>(at) < 0x80 ? at : 0
}

function csvEnd(at: usize, separator: u8): usize {
  kind = layout.Kind.ASCII
  if (load<u8>(at) == QUOTE) {
    valueFrom = ++at
    while (true) {
      const byte = load<u8>(at)
      if (byte == QUOTE) {
        if (load<u8>(at, 1) != QUOTE) break
        kind |= layout.Kind.ESCAPED
        at++
      } else if (byte == LINE_FEED) return 0
      else if (byte > 0x7f) kind |= layout.Kind.WIDE
      at++
    }
    valueTo = at
    if (at == valueFrom) kind = layout.Kind.NULL
    return at + 1
  }
  valueFrom = at
  const stop = i8x16.splat(i8(separator))
  while (true) {
    const bytes = v128.load(at)
    const ends = i8x16.bitmask(
      v128.or(
        i8x16.eq(bytes, stop),
        v128.or(i8x16.eq(bytes, i8x16.splat(LINE_FEED)), i8x16.eq(bytes, i8x16.splat(CARRIAGE_RETURN))),
      ),
    )
    const wide = i8x16.bitmask(bytes)
    if (ends != 0) {
      const length = ctz(ends)
      if ((wide & ((1 << length) - 1)) != 0) kind |= layout.Kind.WIDE
      at += length
      break
    }
    if (wide != 0) kind |= layout.Kind.WIDE
    at += 16
  }
  valueTo = at
  if (at == valueFrom) kind = layout.Kind.NULL
  return at
}

/**
 * Returns the position of the byte `stop`, or of a line ending, that ends a text. Returns 0 if a control character
 * other than a tab or an invalid escape comes first; if `stop` is a quote and `hasEscapes` is false, also for a
 * backslash. Sets `kind`.
 */
function textEnd(at: usize, stop: u8, hasEscapes: bool): usize {
  kind = layout.Kind.ASCII
  const stops = i8x16.splat(i8(stop))
  let highBit = i8x16.splat(i8(0x80))
  while (true) {
    const bytes = v128.load(at)
    const special = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(bytes, stops), i8x16.lt_u(bytes, i8x16.splat(SPACE))),
        v128.or(i8x16.eq(bytes, i8x16.splat(BACKSLASH)), v128.and(bytes, highBit)),
      ),
    )
    if (special == 0) {
      at += 16
      continue
    }
    at += ctz(special)
    const byte = load<u8>(at)
    if (byte == stop) return at
    if (byte > 0x7f) {
      kind |= layout.Kind.WIDE
      highBit = i8x16.splat(0)
      continue
    }
    if (byte == BACKSLASH && hasEscapes) {
      kind |= layout.Kind.ESCAPED
      at = escapeEnd(at + 1)
      if (at == 0) return 0
    } else if (byte == TAB || (byte == BACKSLASH && stop != QUOTE)) at++
    else if (byte == CARRIAGE_RETURN && stop == LINE_FEED && load<u8>(at, 1) == LINE_FEED) return at
    else return 0
  }
}

/** Reads a value that ends at the byte `stop`. An empty text and a single hyphen count as null. */
function untilEnd(at: usize, stop: u8): usize {
  valueFrom = at
  valueTo = textEnd(at, stop, false)
  return nullOr(valueTo)
}

/** Reads the longest run of bytes marked in a table of 256 bytes. */
function classEnd(at: usize, table: usize): usize {
  kind = layout.Kind.ASCII
  valueFrom = at
  while (load<u8>(table + load<u8>(at)) != 0) at++
  valueTo = at
  return at - valueFrom > load<u32>(table, layout.Syntax.CLASS_MOST_AT) ? 0 : nullOr(at)
}

function digitsEnd(at: usize, most: u32): usize {
  kind = layout.Kind.NUMBER
  valueFrom = at
  while (isDigit(load<u8>(at))) at++
  valueTo = at
  if (at == valueFrom && load<u8>(at) == MINUS) {
    kind = layout.Kind.NULL
    return at + 1
  }
  return at == valueFrom || at - valueFrom > most ? 0 : at
}

function nullOr(end: usize): usize {
  const length = end - valueFrom
  if (length == 0 || (length == 1 && load<u8>(valueFrom) == MINUS)) kind = layout.Kind.NULL
  return end
}

/**
 * Reads a value that is part of the preceding literal. The lower 16 bits of `place` are its distance from the literal's
 * end, the bits above are its length.
 */
function fixedEnd(at: usize, place: u32): usize {
  kind = layout.Kind.ASCII
  valueFrom = at - (place & 0xffff)
  valueTo = valueFrom + (place >> 16)
  return at
}

function restEnd(at: usize, notNext: u32): usize {
  const from = valueFrom
  const byte = load<u8>(at)
  if (byte != SPACE && byte != LINE_FEED && byte != CARRIAGE_RETURN) return 0
  if (load<u16>(at) == notNext) return 0
  valueTo = textEnd(at, LINE_FEED, false)
  valueFrom = from
  if (valueTo == from) kind = layout.Kind.NULL
  return valueTo
}

function withoutEnd(at: usize, automaton: usize): usize {
  const rows = automaton + layout.Automaton.ROWS_AT
  kind = layout.Kind.ASCII
  valueFrom = at
  let state: u32 = layout.Automaton.START
  while (true) {
    state = load<u16>(rows + ((state + load<u8>(automaton + load<u8>(at))) << 1))
    if (state <= layout.Automaton.END) break
    at++
  }
  valueTo = at
  return state == layout.Automaton.END ? at : 0
}

function memberEnd(at: usize, member: usize): usize {
  const parameter = load<u32>(member, layout.Member.PARAMETER_AT)
  switch (load<u32>(member, layout.Member.SYNTAX_AT)) {
    case layout.Syntax.JSON:
      return jsonEnd(at)
    case layout.Syntax.LOGFMT:
      return logfmtEnd(at)
    case layout.Syntax.CSV:
      return csvEnd(at, u8(parameter))
    case layout.Syntax.UNTIL:
      return untilEnd(at, u8(parameter))
    case layout.Syntax.CLASS:
      return classEnd(at, usize(parameter))
    case layout.Syntax.DIGITS:
      return digitsEnd(at, parameter)
    case layout.Syntax.AGAIN:
      return at
    case layout.Syntax.REST:
      return restEnd(at, parameter)
    case layout.Syntax.WITHOUT:
      return withoutEnd(at, usize(parameter))
    default:
      return fixedEnd(at, parameter)
  }
}

function isAscii(from: usize, end: usize): bool {
  for (; from + 16 <= end; from += 16) if (i8x16.bitmask(v128.load(from)) != 0) return false
  for (; from < end; from++) if (load<u8>(from) > 0x7f) return false
  return true
}

/**
 * Matches one line against a template, writes the wanted values from `record` on, and returns the start of the next
 * line; 0 if the template does not match.
 */
function lineEnd(line: usize, template: usize, record: usize): usize {
  let at = line
  let member = template + layout.Template.HEAD_BYTES
  let hasValue = false
  isDropped = false
  for (let rest = load<u32>(template); ; rest--, member += layout.Member.BYTES) {
    if (!isLiteralAt(at, load<usize>(member, layout.Member.LITERAL_AT), load<u32>(member, layout.Member.BLOCKS_AT)))
      return 0
    at += load<u32>(member, layout.Member.LENGTH_AT)
    if (rest == 0) break
    at = memberEnd(at, member)
    if (at == 0) return 0
    const flags = load<u32>(member, layout.Member.FLAGS_AT)
    if (kind != layout.Kind.NULL) {
      // A time inside the literal is in every line, so it does not count as a value.
      if (load<u32>(member, layout.Member.SYNTAX_AT) != layout.Syntax.FIXED) hasValue = true
    } else if ((flags & layout.Member.IS_REQUIRED) != 0) return 0
    if (kind == layout.Kind.ASCII && !isDropped)
      isDropped = !hasNeedles(valueFrom, valueTo, load<usize>(member, layout.Member.NEEDLES_AT))
    if ((flags & layout.Member.IS_KEPT) != 0) {
      store<usize>(record, valueFrom)
      store<usize>(record, valueTo | (kind << layout.Kind.SHIFT), 4)
      record += 8
    }
  }
  recordEnd = record
  const needles = load<usize>(template, layout.Template.NEEDLES_AT)
  if (needles != 0 && isAscii(line, at) && !hasNeedles(line, at, needles)) isDropped = true
  if (load<u8>(at) == CARRIAGE_RETURN) at++
  return hasValue && load<u8>(at) == LINE_FEED ? at + 1 : 0
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
  let stop: u32 = layout.Stop.END
  while (at < end) {
    if (out > outEnd) {
      stop = layout.Stop.FULL
      break
    }
    let next: usize = 0
    for (let tries: u32 = 0; tries < templateCount; tries++) {
      next = lineEnd(at, load<usize>(templates + (template << 2), 4), out + 4)
      if (next != 0) break
      template = template + 1 < templateCount ? template + 1 : 0
    }
    if (next == 0) {
      stop = layout.Stop.UNKNOWN
      break
    }
    store<usize>(
      out,
      at | ((isDropped ? template | layout.ScanRecord.DROPPED : template) << layout.ScanRecord.TEMPLATE_SHIFT),
    )
    out = recordEnd
    at = next
  }
  store<usize>(state, at, layout.ScanState.POSITION_AT)
  store<usize>(state, out, layout.ScanState.OUT_AT)
  store<u32>(state, template, layout.ScanState.TEMPLATE_AT)
  store<u32>(state, stop, layout.ScanState.STOP_AT)
}
