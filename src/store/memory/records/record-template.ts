import type { Bytes } from '../../../base/index.ts'
import type { ByteAutomaton } from './byte-automaton.ts'

/** The syntax of a value. The kernel has a loop for each kind. */
export type ValueSyntax =
  /** A JSON scalar or list. */
  | { readonly kind: 'json' }
  /** A text in double quotes with escapes, or a word of visible ASCII characters. */
  | { readonly kind: 'logfmt' }
  /** A cell of CSV; `separator` is a byte. An empty cell is a missing value. */
  | { readonly kind: 'csv'; readonly separator: number }
  /** All bytes up to `byte`. An empty string and a hyphen are missing values. */
  | { readonly kind: 'until'; readonly byte: number }
  /**
   * At most `most` bytes that have a 1 in `table`, which has 256 entries. An empty string and a hyphen are missing
   * values.
   */
  | { readonly kind: 'class'; readonly table: Uint8Array; readonly most: number }
  /** A number of at most `most` decimal digits. A hyphen is a missing value. */
  | { readonly kind: 'digits'; readonly most: number }
  /** A part of the preceding literal: it starts `before` bytes before the end of the literal and has `length` bytes. */
  | { readonly kind: 'fixed'; readonly before: number; readonly length: number }
  /** The preceding value once more, for a second field. */
  | { readonly kind: 'again' }
  /**
   * The rest of the line, from the start of the previous value, which must be a word. The template does not match if
   * `notNext` follows the word.
   */
  | { readonly kind: 'rest'; readonly notNext: string }
  /** All bytes up to the end of the line. The template does not match if the automaton finds a pattern in them. */
  | { readonly kind: 'without'; readonly automaton: ByteAutomaton }

/** One value of a record, with the bytes before it. */
export interface TemplateMember {
  /** The field that receives the value; empty if the value is not stored. */
  readonly name: string
  /** The bytes between the preceding value and this one. */
  readonly literal: Bytes
  /** The half-open range of the literal in which each digit matches any digit. */
  readonly digits?: readonly [from: number, to: number]
  readonly syntax: ValueSyntax
  /** True if the template does not match records without this value. */
  readonly isRequired?: boolean | undefined
}

/**
 * The structure that many records share. For every record that matches, the general reader would return the same
 * fields: the members that have values, the constants and, if present, the whole line.
 */
export interface RecordTemplate {
  readonly members: readonly TemplateMember[]
  /** The bytes between the last value and the line end. */
  readonly end: Bytes
  /** Fields with fixed texts that all records of the template have. */
  readonly constants?: ReadonlyMap<string, string> | undefined
  /** For formats that join lines: true if the following lines may belong to the record. */
  readonly staysOpen?: boolean
  /**
   * For formats that join lines: true if the line has no time. The line then continues an open record that has a time.
   */
  readonly mayContinue?: boolean
  /** The origin of the records; `''` by default. Some formats join only lines of the same origin. */
  readonly origin?: string
  /** The field that receives the line from byte `from` on, without the line end. */
  readonly wholeLine?: { readonly name: string; readonly from: number } | undefined
}

/** The byte structure of the records of a format. Stateless, so any thread can use it. */
export interface RecordForm {
  /** Returns the end of the record at `start`, including its line end; -1 if the record does not end before `end`. */
  recordEnd(bytes: Bytes, start: number, end: number): number
  /**
   * Returns a template for records like the one in `[start, end)`; `undefined` if only the general reader can read such
   * records.
   */
  templateOf(bytes: Bytes, start: number, end: number): RecordTemplate | undefined
  /** True if a record certainly begins at `start`. Both `[before, start)` and `[start, end)` are whole lines. */
  beginsAt(bytes: Bytes, before: number, start: number, end: number): boolean
}

/** Returns the end of the line at `start`: after its line break, or `end` if there is none. */
export function lineRecordEnd(bytes: Bytes, start: number, end: number): number {
  const found = bytes.indexOf(10, start)
  return found === -1 || found >= end ? end : found + 1
}
