import type { Meter } from '../../base/index.ts'
import { isEmptyValue, toText, type MutableRow, type Value } from '../../data/index.ts'
import { matchesField, plainName, type FieldPattern } from '../../plan/index.ts'

/** Returns a field as a string; `''` if it is missing. */
export function textAt(row: MutableRow, name: string): string {
  return toText(row.get(name) ?? null)
}

/** Estimated memory of a parsed list or object, bytes per character of its source. */
const PARSED_BYTES = 8

/**
 * Returns the text of a field that will be parsed as JSON. Throws `budget/memory` if the parsed value might exceed the
 * budget.
 */
export function jsonTextAt(row: MutableRow, name: string, meter: Meter): string {
  const text = textAt(row, name)
  meter.room(text.length * PARSED_BYTES)
  return text
}

/** Options that keep existing values: of fields that already have one, and of fields whose new value is empty. */
export interface Overwriting {
  readonly keepsOriginal: boolean
  readonly skipsEmpty: boolean
}

export function writeResult(row: MutableRow, name: string, value: Value, how: Overwriting): void {
  if (how.keepsOriginal && !isEmptyValue(row.get(name) ?? null)) return
  if (how.skipsEmpty && isEmptyValue(value)) return
  row.set(name, value)
}

/** Field patterns as stored in parameters: each is a list of literal parts. */
export type PatternLists = readonly (readonly string[])[]

export function patternsOf(lists: PatternLists): readonly FieldPattern[] {
  return lists.map((parts) => ({ parts }))
}

export function matchesAny(patterns: readonly FieldPattern[], name: string): boolean {
  return patterns.some((pattern) => matchesField(pattern, name))
}

/**
 * Returns the present fields that match, pattern by pattern, without duplicates; fields of one pattern are in row
 * order. With `withMissing`, also returns missing fields whose plain name is listed.
 */
export function fieldsAt(
  row: MutableRow,
  patterns: readonly FieldPattern[],
  withMissing = false,
): (readonly [string, Value])[] {
  const fields = new Map<string, Value>()
  for (const pattern of patterns) {
    const name = withMissing ? plainName(pattern) : undefined
    if (name !== undefined) fields.set(name, row.get(name) ?? null)
    for (const [each, value] of row) if (value !== null && matchesField(pattern, each)) fields.set(each, value)
  }
  return [...fields]
}
