import type { Bytes } from '../../../base/index.ts'

/** How the value of a member is written; the kernel has a loop for each kind. */
export type ValueSyntax =
  /** A JSON scalar or list. */
  | { readonly kind: 'json' }
  /** A text in double quotes with escapes, or a word of visible ASCII characters. */
  | { readonly kind: 'logfmt' }
  /** A cell between separators, given as their byte; an empty one is no value. */
  | { readonly kind: 'csv'; readonly separator: number }
  /** All up to a byte that is no part of it; nothing and a hyphen are no value. */
  | { readonly kind: 'until'; readonly byte: number }
  /** Bytes for which a table of 256 bytes has a 1, at most so many; nothing and a hyphen are no value. */
  | { readonly kind: 'class'; readonly table: Uint8Array; readonly most: number }
  /** Decimal digits of a number, at most so many; a hyphen is no value. */
  | { readonly kind: 'digits'; readonly most: number }
  /** A part of the literal before it: how many bytes before its end the value begins, and its length in bytes. */
  | { readonly kind: 'fixed'; readonly before: number; readonly length: number }
  /** The value before once more, for a second field. */
  | { readonly kind: 'again' }
  /** From the beginning of the value before, a word, to the end of the line; records with `notNext` behind the word are of another form. */
  | { readonly kind: 'rest'; readonly notNext: string }

/** One value of a record and what stands before it. */
export interface TemplateMember {
  /** The field of the record that has the value; empty for a part that no field is made of. */
  readonly name: string
  /** The bytes between the value before and this one. */
  readonly literal: Bytes
  /** Half-open range of the literal in which any digit may stand for a digit. */
  readonly digits?: readonly [from: number, to: number]
  readonly syntax: ValueSyntax
  /** Whether records without this value are of another form. */
  readonly isRequired?: boolean | undefined
}

/**
 * What records of one form have in common. Every record that a template fits means what the general reader of its format
 * makes of it: members with values, the constants and, if it is named, the whole line.
 */
export interface RecordTemplate {
  readonly members: readonly TemplateMember[]
  /** What stands behind the last value, the end of the line aside. */
  readonly end: Bytes
  /** Fields that all these records have, with their texts. */
  readonly constants?: ReadonlyMap<string, string> | undefined
  /** Whether further lines may belong to the record, in formats that join lines. */
  readonly staysOpen?: boolean
  /** What the records come from, in formats that join only lines of the same origin: `''` unless given. */
  readonly origin?: string
  /** The field that has the line without its end, from that many bytes after its beginning on. */
  readonly wholeLine?: { readonly name: string; readonly from: number } | undefined
}

/** How records of one format lie in bytes; without any state, so that another thread can find them. */
export interface RecordForm {
  /** Where the record that begins at `start` ends, its line end included; -1 where it does not end before `end`. */
  recordEnd(bytes: Bytes, start: number, end: number): number
  /** What other records may have in common with the one in `[start, end)`; `undefined` for one that only the general reader reads. */
  templateOf(bytes: Bytes, start: number, end: number): RecordTemplate | undefined
  /**
   * Whether a record begins at `start`, whatever stands before the line that begins at `before`, so that a reader may begin there.
   * Lines `[before, start)` and `[start, end)` are whole.
   */
  beginsAt(bytes: Bytes, before: number, start: number, end: number): boolean
}

/** Where a line ends, with or without a line break. */
export function lineRecordEnd(bytes: Bytes, start: number, end: number): number {
  const found = bytes.indexOf(10, start)
  return found === -1 || found >= end ? end : found + 1
}
