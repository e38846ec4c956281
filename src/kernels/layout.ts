/**
 * Memory layouts that kernels, their twins and their callers share. AssemblyScript reads this file too, so it holds classes of
 * constants alone. Names say what a number counts: `_BYTES` a size, `_AT` a byte offset in a structure, `_SHIFT` and `_MASK` bits.
 */

/* oxlint-disable typescript/no-extraneous-class -- AssemblyScript has no objects of constants. */

/** The address and length of a byte range, four bytes each. */
export class Range {
  static readonly BYTES: i32 = 8
  static readonly LENGTH_AT: i32 = 4
  /** Replaces a range's length when the caller must write this value itself. */
  static readonly BY_VALUE: u32 = 0xffff_ffff
}

/** `writeTimes`: the longest text before the seconds, and the bytes after it: `05.123456789Z"`. */
export class TimeText {
  static readonly MAX_PREFIX_BYTES: i32 = 32
  static readonly TAIL_BYTES: i32 = 14
}

/**
 * Decimal tables: powers of ten from 10^-5 to 10^22 with 128 bits each, then scratch memory for the digits of one
 * number.
 */
export class Decimal {
  static readonly FIRST_POWER: i32 = -5
  static readonly LAST_POWER: i32 = 22
  static readonly POWER_BYTES: i32 = 16
  static readonly POWERS_BYTES: i32 = 448
  static readonly TABLE_BYTES: i32 = 512
  /** The most bytes of a number as text, and of everything written while the text is made. */
  static readonly BYTES: i32 = 64
  /** The most bytes of a point: a time of 20 characters, a number, and the punctuation between them. */
  static readonly POINT_BYTES: i32 = 96
}

/** `findLiteral`: bits of `edges`. The match must not be cut inside a word at its start or end. */
export class Edge {
  static readonly START: i32 = 1
  static readonly END: i32 = 2
}

/** `scanLines`: the result at `state`, in four-byte words. */
export class ScanState {
  static readonly BYTES: i32 = 16
  static readonly POSITION_AT: i32 = 0
  static readonly OUT_AT: i32 = 4
  static readonly TEMPLATE_AT: i32 = 8
  static readonly STOP_AT: i32 = 12
}

/** Why a scan stopped: all input was read, there is no memory for another record, or a line matches no template. */
export class Stop {
  static readonly END: i32 = 0
  static readonly FULL: i32 = 1
  static readonly UNKNOWN: i32 = 2
}

/**
 * Kinds of scanned values, in the four high bits of a value's end. For strings, bit 0 means "has escapes" and bit 1
 * "beyond ASCII".
 */
export class Kind {
  static readonly SHIFT: i32 = 28
  static readonly ASCII: i32 = 0
  static readonly ESCAPED: i32 = 1
  static readonly WIDE: i32 = 2
  static readonly NUMBER: i32 = 4
  static readonly TRUE: i32 = 5
  static readonly FALSE: i32 = 6
  static readonly NULL: i32 = 7
  /** A JSON list, brackets included. */
  static readonly LIST: i32 = 8
}

/**
 * A record begins with the start of its line and, in the high bits, the number of its template; its values follow, two
 * words each. Texts are in the first 4 MiB of the memory.
 */
export class ScanRecord {
  static readonly TEMPLATE_SHIFT: i32 = 22
  static readonly MAX_TEMPLATES: i32 = 126
  /** Replaces a template: a record for the general reader, with its end in a second word. */
  static readonly GENERAL: i32 = 127
  /** A bit beside the template: the line lacks a needle. */
  static readonly DROPPED: i32 = 128
}

/** A template begins with the number of its members and the needles of whole lines; its members follow. */
export class Template {
  static readonly HEAD_BYTES: i32 = 8
  static readonly NEEDLES_AT: i32 = 4
}

/**
 * A member of a template: address of the bytes before the value, their 16-byte blocks and length, flags, needles, and
 * the syntax with its parameter.
 */
export class Member {
  static readonly BYTES: i32 = 28
  static readonly LITERAL_AT: i32 = 0
  static readonly BLOCKS_AT: i32 = 4
  static readonly LENGTH_AT: i32 = 8
  static readonly FLAGS_AT: i32 = 12
  static readonly NEEDLES_AT: i32 = 16
  static readonly SYNTAX_AT: i32 = 20
  static readonly PARAMETER_AT: i32 = 24
  /** Flag: the record contains the value. */
  static readonly IS_KEPT: i32 = 1
  /** Flag: the template does not match when the value is null. */
  static readonly IS_REQUIRED: i32 = 2
}

/** How a value is written, and the meaning of the member's parameter. */
export class Syntax {
  static readonly JSON: i32 = 0
  /** A text in double quotes, or visible ASCII characters. */
  static readonly LOGFMT: i32 = 1
  /** A CSV cell; the parameter is the byte between cells. An empty cell is null. */
  static readonly CSV: i32 = 2
  /** Ends before the byte in the parameter; an empty text and a hyphen are null. */
  static readonly UNTIL: i32 = 3
  /**
   * Bytes marked in the 256-byte table at the parameter, at most as many as the word after it states; an empty text and
   * a hyphen are null.
   */
  static readonly CLASS: i32 = 4
  static readonly CLASS_MOST_AT: i32 = 256
  static readonly CLASS_BYTES: i32 = 260
  /** Decimal digits, at most as many as the parameter; a hyphen is null. */
  static readonly DIGITS: i32 = 5
  /**
   * A part of the preceding literal: the parameter is its distance from the literal's end, and above 16 bits its
   * length.
   */
  static readonly FIXED: i32 = 6
  /** The previous value again; the literal is empty. */
  static readonly AGAIN: i32 = 7
  /**
   * From the start of the previous value to the end of the line. The two bytes of the parameter, the first one lowest,
   * must not follow that value, which ends with a blank or the line.
   */
  static readonly REST: i32 = 8
}

/** Needles that a member must contain: a list linked by `NEXT_AT` that ends with address 0. */
export class Needle {
  static readonly BYTES: i32 = 16
  static readonly TEXT_AT: i32 = 0
  static readonly MASKS_AT: i32 = 4
  static readonly LENGTH_AT: i32 = 8
  static readonly NEXT_AT: i32 = 12
}

/** `readWords`: words of texts. */
export class Word {
  /** Indexed words are cut to this many bytes. */
  static readonly MAX_BYTES: i32 = 128
  /** The part of a word in its entry, one vector. */
  static readonly HEAD_BYTES: i32 = 16
  /** At address 0: `MAX_BYTES` bytes of ones, then a vector of zeros, from which masks of word ends are loaded. */
  static readonly MASK_BYTES: i32 = 144
}

/** The input and output of `readWords` at `state`; the last five are addresses. */
export class WordsState {
  static readonly STATE_BYTES: i32 = 52
  static readonly COUNT_AT: i32 = 0
  static readonly LONG_END_AT: i32 = 4
  static readonly STREAM_LENGTH_AT: i32 = 8
  /** The first row of the batch that was not read. */
  static readonly NEXT_AT: i32 = 12
  static readonly MAX_COUNT_AT: i32 = 16
  static readonly MAX_LONG_AT: i32 = 20
  static readonly MAX_STREAM_AT: i32 = 24
  static readonly SLOT_SHIFT_AT: i32 = 28
  static readonly SLOTS_AT: i32 = 32
  static readonly ENTRIES_AT: i32 = 36
  static readonly LONG_AT: i32 = 40
  static readonly STREAM_AT: i32 = 44
  static readonly ENDS_AT: i32 = 48
}

/** A slot of the hash table: word number plus one (0 when free), and the word's hash. */
export class Slot {
  static readonly BYTES: i32 = 8
  static readonly HASH_AT: i32 = 4
}

/** An entry: size and row count, address of a long word, first and last row, head of the word padded with zeros. */
export class Entry {
  static readonly BYTES: i32 = 32
  static readonly SIZE_AND_COUNT_AT: i32 = 0
  static readonly LONG_AT: i32 = 4
  static readonly FIRST_ROW_AT: i32 = 8
  static readonly LAST_ROW_AT: i32 = 12
  static readonly HEAD_AT: i32 = 16
  static readonly SIZE_MASK: i32 = 0xff
  static readonly COUNT_SHIFT: i32 = 8
}

/** The bytes after a range that must belong to the memory, since kernels read and write whole vectors. */
export const SLACK_BYTES = 64

/** `joinPieces`: for each column the range of its key, then the range that is written for a row without a value. */
export const COLUMN_BYTES = 16

/**
 * `sumExactly`: for each group the sum of high parts, the sum of low parts, the number of values, and a number for the
 * caller.
 */
export const SUM_BYTES = 32

/**
 * A block of a literal: 16 bytes, then a mask for each: 0xff, 0xf0 where any decimal digit may be, 0 after the end of
 * the literal.
 */
export const BLOCK_BYTES = 32
