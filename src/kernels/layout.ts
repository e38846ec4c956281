/**
 * Memory layouts shared by the compiled kernels, the plain TypeScript kernels and their callers. AssemblyScript
 * compiles this file too, so it contains only classes of constants. In names, `_BYTES` is a size, `_AT` a byte offset
 * in a structure, `_SHIFT` and `_MASK` refer to bits.
 */

/* oxlint-disable typescript/no-extraneous-class -- AssemblyScript has no objects of constants. */

/** The address and length of a byte range, four bytes each. */
export class Range {
  static readonly BYTES: i32 = 8
  static readonly LENGTH_AT: i32 = 4
  /** The length of a range whose value the kernel could not write: the caller must write it. */
  static readonly BY_VALUE: u32 = 0xffff_ffff
}

/**
 * Sizes for `writeTimes`: the longest text before the seconds, and the bytes from the seconds on, such as
 * `05.123456789Z"`.
 */
export class TimeText {
  static readonly MAX_PREFIX_BYTES: i32 = 32
  static readonly TAIL_BYTES: i32 = 14
}

/**
 * The decimal tables: powers of ten from 10^-5 to 10^22 with 128 bits each, then scratch memory for the digits of one
 * number.
 */
export class Decimal {
  static readonly FIRST_POWER: i32 = -5
  static readonly LAST_POWER: i32 = 22
  static readonly POWER_BYTES: i32 = 16
  static readonly POWERS_BYTES: i32 = 448
  static readonly TABLE_BYTES: i32 = 512
  /** The maximum number of bytes that writing a number as text changes, including bytes after the text. */
  static readonly BYTES: i32 = 64
  /** The maximum size of a point: a time of 20 characters, a number, and punctuation. */
  static readonly POINT_BYTES: i32 = 96
}

/** Bits of `edges` for `findLiteral`: the match must not begin, or not end, inside a word. */
export class Edge {
  static readonly START: i32 = 1
  static readonly END: i32 = 2
}

/** The result of `scanLines` at `state`, in four-byte integers. */
export class ScanState {
  static readonly BYTES: i32 = 16
  static readonly POSITION_AT: i32 = 0
  static readonly OUT_AT: i32 = 4
  static readonly TEMPLATE_AT: i32 = 8
  static readonly STOP_AT: i32 = 12
}

/** The reason why a scan stopped: end of input, no memory for another record, or a line that matches no template. */
export class Stop {
  static readonly END: i32 = 0
  static readonly FULL: i32 = 1
  static readonly UNKNOWN: i32 = 2
}

/**
 * Kinds of scanned values, stored in the four high bits of a value's end offset. For strings, bit 0 means "has escapes"
 * and bit 1 "beyond ASCII".
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
 * A record of a scanned line: the start of the line with the index of its template in the high bits, then two integers
 * per value. Offsets need 22 bits, since texts are in the first 4 MiB of the memory.
 */
export class ScanRecord {
  static readonly TEMPLATE_SHIFT: i32 = 22
  static readonly MAX_TEMPLATES: i32 = 126
  /** Template index of a line that the general reader must read; a second integer has the line's end. */
  static readonly GENERAL: i32 = 127
  /** Flag next to the template index: the line does not contain a required needle. */
  static readonly DROPPED: i32 = 128
}

/** A template: the number of its members, the needles of the whole line, then the members. */
export class Template {
  static readonly HEAD_BYTES: i32 = 8
  static readonly NEEDLES_AT: i32 = 4
}

/**
 * A member of a template: the literal before the value (address, number of 16-byte blocks, length), flags, needles, and
 * the syntax of the value with its parameter.
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

/** The syntax of a value, which determines the meaning of the member's parameter. */
export class Syntax {
  static readonly JSON: i32 = 0
  /** A quoted text, or a run of visible ASCII characters. */
  static readonly LOGFMT: i32 = 1
  /** A CSV cell; the parameter is the delimiter. An empty cell is null. */
  static readonly CSV: i32 = 2
  /** A value that ends before the byte in the parameter; an empty text and a hyphen are null. */
  static readonly UNTIL: i32 = 3
  /**
   * A run of bytes that are marked in the 256-byte table at the parameter. The integer after the table is its maximum
   * length. An empty text and a hyphen are null.
   */
  static readonly CLASS: i32 = 4
  static readonly CLASS_MOST_AT: i32 = 256
  static readonly CLASS_BYTES: i32 = 260
  /** Decimal digits; the parameter is their maximum number. A hyphen is null. */
  static readonly DIGITS: i32 = 5
  /**
   * A part of the preceding literal: the lower 16 bits of the parameter are its distance from the literal's end, the
   * upper bits its length.
   */
  static readonly FIXED: i32 = 6
  /** The previous value, under another name; the literal is empty. */
  static readonly AGAIN: i32 = 7
  /**
   * From the start of the previous value to the end of the line. The previous value must end at a blank or at the end
   * of the line, and must not be followed by the two bytes in the parameter (the first one in the lowest byte).
   */
  static readonly REST: i32 = 8
  /**
   * Everything up to the end of the line, which must not contain a pattern of the automaton at the parameter
   * (`Automaton`).
   */
  static readonly WITHOUT: i32 = 9
}

/**
 * The automaton of patterns: the column of each byte (256 bytes), then the rows of its states, in two-byte integers. An
 * integer is `FOUND` when a pattern is complete, `END` at a line feed, else the index of the next state's row. The
 * first state is at `START`.
 */
export class Automaton {
  static readonly ROWS_AT: i32 = 256
  static readonly FOUND: u32 = 0
  static readonly END: u32 = 1
  static readonly START: u32 = 2
}

/** A linked list of strings that a member must contain. `NEXT_AT` has the next address; 0 ends the list. */
export class Needle {
  static readonly BYTES: i32 = 16
  static readonly TEXT_AT: i32 = 0
  static readonly MASKS_AT: i32 = 4
  static readonly LENGTH_AT: i32 = 8
  static readonly NEXT_AT: i32 = 12
}

/** Constants of `readWords`, which reads the words of texts. */
export class Word {
  /** Indexed words are truncated to this length. */
  static readonly MAX_BYTES: i32 = 128
  /** Length of the head of a word, which is stored in its entry: one vector. */
  static readonly HEAD_BYTES: i32 = 16
  /**
   * Size of the mask table at address 0: `MAX_BYTES` bytes of 0xff, then 16 zeros. A load at an offset gives the mask
   * for the end of a word.
   */
  static readonly MASK_BYTES: i32 = 144
}

/** The input and output of `readWords` at `state`. The last five members are addresses. */
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

/** A slot of the hash table: the word's number plus one (0 if the slot is free), and the word's hash. */
export class Slot {
  static readonly BYTES: i32 = 8
  static readonly HASH_AT: i32 = 4
}

/**
 * An entry of a word: size and row count, address of the bytes after the head, first and last row, and the head padded
 * with zeros.
 */
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

/** Flags of a character inside or next to a number, as `foldNumbers` reads them. */
export class NumberFlag {
  static readonly DIGIT: i32 = 1
  static readonly HEX_LETTER: i32 = 2
  /** A number cannot start directly after this character. */
  static readonly BARS_START: i32 = 4
  /** A number cannot end directly before this character. */
  static readonly BARS_END: i32 = 8
}

/** The bytes that stand for placeholders in folded strings. They do not occur in UTF-8. */
export class Placeholder {
  static readonly NUMBER: i32 = 0xf8
  static readonly UUID: i32 = 0xf9
  static readonly IP4: i32 = 0xfa
  static readonly TIME: i32 = 0xfb
  static readonly DATE: i32 = 0xfc
  static readonly DATETIME: i32 = 0xfd
}

/**
 * The tables for `foldNumbers`: `NumberFlag` by byte, two sets of ASCII characters, and the placeholders with their
 * names. The set at `DIGITS_AT` has the characters with which a number begins, the set at `BARRING_AT` the characters
 * with `BARS_START`. Byte `i` of a set has a bit for each character with the lower half `i`; byte `h` at `HALVES_AT` is
 * the bit of the upper half `h`.
 */
export class FoldTables {
  static readonly BYTES: i32 = 400
  static readonly DIGITS_AT: i32 = 256
  static readonly BARRING_AT: i32 = 272
  static readonly HALVES_AT: i32 = 288
  static readonly NAMES_AT: i32 = 304
  static readonly NAMES_BYTES: i32 = 96
  static readonly NAME_BYTES: i32 = 16
  static readonly NAME_LENGTH_AT: i32 = 14
  static readonly NAME_PLACEHOLDER_AT: i32 = 15
}

/** The readable and writable bytes that must follow every range, since kernels access whole vectors. */
export const SLACK_BYTES = 64

/**
 * Bytes per column in the table for `joinPieces`: the range of its key, then the range that is written for a row
 * without a value.
 */
export const COLUMN_BYTES = 16

/**
 * Bytes per group in the sums of `sumExactly`: the sum of high parts, the sum of low parts, the number of values, and a
 * number for the caller.
 */
export const SUM_BYTES = 32

/**
 * Bytes of one block of a literal: 16 characters, then a mask for each: 0xff for a fixed character, 0xf0 for any
 * decimal digit, 0 after the end of the literal.
 */
export const BLOCK_BYTES = 32
