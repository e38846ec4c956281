/**
 * Memory layouts that kernels, their twins and their callers share. AssemblyScript reads this file too, so it holds constants
 * alone. Names say what a number counts: `_BYTES` a size, `_AT` a byte offset in a structure, `_SHIFT` and `_MASK` bits.
 */

/** Address and length of a byte range, four bytes each. */
export const RANGE_BYTES = 8
export const RANGE_LENGTH_AT = 4
/** In place of a range's length: the caller has to write this value itself. */
export const BY_VALUE = 0xffff_ffff

/** Kernels read and write whole vectors: so many bytes after a range must belong to the memory. */
export const SLACK_BYTES = 64

/** `joinPieces`: per column the range of its key, then the range written where a row has no value. */
export const COLUMN_BYTES = 16

/** `writeTimes`: longest text before the seconds, and the bytes written after it: `05.123456789Z"`. */
export const MAX_PREFIX_BYTES = 32
export const TIME_TAIL_BYTES = 14

/** Decimal tables: powers of ten from 10^-5 to 10^22, 128 bits each, then scratch memory for the digits of one number. */
export const FIRST_POWER = -5
export const LAST_POWER = 22
export const POWER_BYTES = 16
export const POWERS_BYTES = 448
export const DECIMAL_TABLE_BYTES = 512
/** A number as text is shorter than this, and so is all that is written while the text is made. */
export const DECIMAL_BYTES = 64
/** A point of a series: a time of 20 characters, a number, and the punctuation between them. */
export const POINT_BYTES = 96

/** `findLiteral`: bits of `edges`. The match must not be cut inside a word at its start, at its end. */
export const EDGE_START = 1
export const EDGE_END = 2

/** `sumExactly`: per group the sum of high parts, the sum of low parts, the count of values, and a number of the caller's. */
export const SUM_BYTES = 32

/** `scanLines`: what the kernel leaves at `state`, in four-byte words. */
export const SCAN_STATE_BYTES = 16
export const SCAN_POSITION_AT = 0
export const SCAN_OUT_AT = 4
export const SCAN_TEMPLATE_AT = 8
export const SCAN_STOP_AT = 12
/** Why it stopped: all input is read, no memory for another record, or a line that matches no template. */
export const STOP_END = 0
export const STOP_FULL = 1
export const STOP_UNKNOWN = 2

/** Kinds of scanned values, in the four high bits of where a value ends. Strings: bit 0 is "has escapes", bit 1 "beyond ASCII". */
export const KIND_SHIFT = 28
export const KIND_ASCII = 0
export const KIND_ESCAPED = 1
export const KIND_WIDE = 2
export const KIND_NUMBER = 4
export const KIND_TRUE = 5
export const KIND_FALSE = 6
export const KIND_NULL = 7
/** A JSON list, brackets included. */
export const KIND_LIST = 8

/**
 * A record begins with the start of its line, below the number of its template; then its values follow, two words each. Texts lie in the
 * first 4 MiB of the memory.
 */
export const TEMPLATE_SHIFT = 22
export const MAX_TEMPLATES = 126
/** In place of a template: a record for the general reader, with its end in a second word. */
export const RECORD_GENERAL = 127
/** A bit beside the template: a needle is missing. */
export const RECORD_DROPPED = 128

/** A scanned template begins with the number of its members and the needles of whole lines; its members follow. */
export const TEMPLATE_HEAD_BYTES = 8
export const TEMPLATE_NEEDLES_AT = 4

/** Members of a scanned template: address of the bytes before the value, their 16-byte blocks and length, flags, needles, syntax with its parameter. */
export const MEMBER_BYTES = 28
export const MEMBER_LITERAL_AT = 0
export const MEMBER_BLOCKS_AT = 4
export const MEMBER_LENGTH_AT = 8
export const MEMBER_FLAGS_AT = 12
export const MEMBER_NEEDLES_AT = 16
export const MEMBER_SYNTAX_AT = 20
export const MEMBER_PARAMETER_AT = 24
/** Flags: a record has the value; the template does not fit where the value is null. */
export const MEMBER_IS_KEPT = 1
export const MEMBER_IS_REQUIRED = 2
/** How a value is written; what the parameter of its member is for. */
export const SYNTAX_JSON = 0
/** A text in double quotes, or visible ASCII characters. */
export const SYNTAX_LOGFMT = 1
/** A cell; the parameter is the byte between cells. An empty one is null. */
export const SYNTAX_CSV = 2
/** Up to the byte in the parameter; nothing and a hyphen are null. */
export const SYNTAX_UNTIL = 3
/** Bytes that the table of 256 bytes at the parameter marks, at most as many as the word behind it says; nothing and a hyphen are null. */
export const SYNTAX_CLASS = 4
export const CLASS_MOST_AT = 256
export const CLASS_BYTES = 260
/** Decimal digits, as many as the parameter says at most; a hyphen is null. */
export const SYNTAX_DIGITS = 5
/** A part of the literal before: how many bytes before its end it begins, and above 16 bits its length. */
export const SYNTAX_FIXED = 6
/** The value before once more; the literal is empty. */
export const SYNTAX_AGAIN = 7
/** From the beginning of the value before to the end of the line. The two bytes of the parameter, the first one lowest, must not follow that value, which ends with a blank or the line. */
export const SYNTAX_REST = 8
/** A block of a literal: 16 bytes, then a mask for each: 0xff, 0xf0 where any decimal digit may stand, 0 after the end of the literal. */
export const BLOCK_BYTES = 32
/** Needles that a member must contain: a list linked by `NEEDLE_NEXT_AT` that ends with address 0. */
export const NEEDLE_BYTES = 16
export const NEEDLE_TEXT_AT = 0
export const NEEDLE_MASKS_AT = 4
export const NEEDLE_LENGTH_AT = 8
export const NEEDLE_NEXT_AT = 12

/** `readWords`: bytes by which indexed words are cut. */
export const MAX_WORD_BYTES = 128
/** One vector, the part of a word that stands in its entry. */
export const HEAD_BYTES = 16
/** At address 0: `MAX_WORD_BYTES` bytes of ones, then a vector of zeros, from which masks of word ends are loaded. */
export const WORD_MASK_BYTES = 144

/** What `readWords` is given and leaves at `state`; the last five are addresses. */
export const WORDS_STATE_BYTES = 52
export const WORDS_COUNT_AT = 0
export const WORDS_LONG_END_AT = 4
export const WORDS_STREAM_LENGTH_AT = 8
/** The first row of the batch that is not read. */
export const WORDS_NEXT_AT = 12
export const WORDS_MAX_COUNT_AT = 16
export const WORDS_MAX_LONG_AT = 20
export const WORDS_MAX_STREAM_AT = 24
export const WORDS_SLOT_SHIFT_AT = 28
export const WORDS_SLOTS_AT = 32
export const WORDS_ENTRIES_AT = 36
export const WORDS_LONG_AT = 40
export const WORDS_STREAM_AT = 44
export const WORDS_ENDS_AT = 48

/** A slot of the hash table: word number plus one (0 when free), and the word's hash. */
export const SLOT_BYTES = 8
export const SLOT_HASH_AT = 4
/** An entry: size and row count, address of a long word, first and last row, head of the word padded with zeros. */
export const ENTRY_BYTES = 32
export const ENTRY_SIZE_AND_COUNT_AT = 0
export const ENTRY_LONG_AT = 4
export const ENTRY_FIRST_ROW_AT = 8
export const ENTRY_LAST_ROW_AT = 12
export const ENTRY_HEAD_AT = 16
export const SIZE_MASK = 0xff
export const COUNT_SHIFT = 8
