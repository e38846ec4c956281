import type { Bytes } from '../../../base/index.ts'
import type { ByteAutomaton } from './byte-automaton.ts'

/** The syntax of a member's value; the kernel has a loop for each kind. */
export type ValueSyntax =
  /** A JSON scalar or list. */
  | { readonly kind: 'json' }
  /** A text in double quotes with escapes, or a word of visible ASCII characters. */
  | { readonly kind: 'logfmt' }
  /** A cell between separators, given as a byte; an empty cell is no value. */
  | { readonly kind: 'csv'; readonly separator: number }
  /** Everything up to a byte; an empty string and a hyphen are no value. */
  | { readonly kind: 'until'; readonly byte: number }
  /** At most `most` bytes for which a table of 256 bytes has a 1; an empty string and a hyphen are no value. */
  | { readonly kind: 'class'; readonly table: Uint8Array; readonly most: number }
  /** At most `most` decimal digits of a number; a hyphen is no value. */
  | { readonly kind: 'digits'; readonly most: number }
  /**
   * A part of the preceding literal: the number of bytes from its start to the end of the literal, and its length in
   * bytes.
   */
  | { readonly kind: 'fixed'; readonly before: number; readonly length: number }
  /** The preceding value again, for a second field. */
  | { readonly kind: 'again' }
  /**
   * The rest of the line, including the previous value, which is a word. If `notNext` follows the word, the template
   * does not match.
   */
  | { readonly kind: 'rest'; readonly notNext: string }
  /** Everything up to the end of the line, in which the automaton finds no pattern. */
  | { readonly kind: 'without'; readonly automaton: ByteAutomaton }

/** One value of a record and the bytes before it. */
export interface TemplateMember {
  /** The field that receives the value; empty for a part that belongs to no field. */
  readonly name: string
  /** The bytes between the preceding value and this one. */
  readonly literal: Bytes
  /** The half-open range of the literal in which a digit matches any digit. */
  readonly digits?: readonly [from: number, to: number]
  readonly syntax: ValueSyntax
  /** True if records without this value have another form. */
  readonly isRequired?: boolean | undefined
}

/**
 * The common form of records. The general reader of the format returns the same for every record that matches: the
 * members with values, the constants and, if named, the whole line.
 */
export interface RecordTemplate {
  readonly members: readonly TemplateMember[]
  /** The bytes after the last value, without the line end. */
  readonly end: Bytes
  /** Fields that all these records have, with their texts. */
  readonly constants?: ReadonlyMap<string, string> | undefined
  /** True if further lines may belong to the record, for formats that join lines. */
  readonly staysOpen?: boolean
  /**
   * Whether the line has no time of its own, for formats that join lines: it then belongs to an open record that has
   * one.
   */
  readonly mayContinue?: boolean
  /** The origin of the records, for formats that join only lines of the same origin; `''` by default. */
  readonly origin?: string
  /** The field that receives the line without its end, starting after `from` bytes. */
  readonly wholeLine?: { readonly name: string; readonly from: number } | undefined
}

/** The byte structure of one format's records. It has no state, so that another thread can use it. */
export interface RecordForm {
  /**
   * Returns the end of the record that begins at `start`, including its line end; -1 if it does not end before `end`.
   */
  recordEnd(bytes: Bytes, start: number, end: number): number
  /**
   * Returns a template for records like the one in `[start, end)`; `undefined` for a record that only the general
   * reader can read.
   */
  templateOf(bytes: Bytes, start: number, end: number): RecordTemplate | undefined
  /**
   * True if a record certainly begins at `start`, so that a reader may begin there. Lines `[before, start)` and
   * `[start, end)` are complete.
   */
  beginsAt(bytes: Bytes, before: number, start: number, end: number): boolean
}

/** Returns the end of a line, with or without a line break. */
export function lineRecordEnd(bytes: Bytes, start: number, end: number): number {
  const found = bytes.indexOf(10, start)
  return found === -1 || found >= end ? end : found + 1
}
