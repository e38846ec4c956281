import type { Meter } from '../../base/index.ts'
import { isEmptyValue, toText, type MutableRow, type Value } from '../../data/index.ts'
import { matchesField, plainName, type FieldPattern } from '../../plan/index.ts'

/** A field as a string; `''` if missing. */
export function textAt(row: MutableRow, name: string): string {
  return toText(row.get(name) ?? null)
}

/** Estimated memory in bytes of a parsed list or object per character of its source. */
const PARSED_BYTES = 8

/**
 * Returns the text of a field for parsing as JSON. Throws `budget/memory` if the parsed value may exceed the budget.
 */
export function jsonTextAt(row: MutableRow, name: string, meter: Meter): string {
  const text = textAt(row, name)
  meter.room(text.length * PARSED_BYTES)
  return text
}

/** Options for fields that already have a value, and for empty results. */
export interface Overwriting {
  readonly keepsOriginal: boolean
  readonly skipsEmpty: boolean
}

export function writeResult(row: MutableRow, name: string, value: Value, how: Overwriting): void {
  if (how.keepsOriginal && !isEmptyValue(row.get(name) ?? null)) return
  if (how.skipsEmpty && isEmptyValue(value)) return
  row.set(name, value)
}

/** Field patterns in parameters; each is a list of literal parts. */
export type PatternLists = readonly (readonly string[])[]

export function patternsOf(lists: PatternLists): readonly FieldPattern[] {
  return lists.map((parts) => ({ parts }))
}

export function matchesAny(patterns: readonly FieldPattern[], name: string): boolean {
  return patterns.some((pattern) => matchesField(pattern, name))
}

/**
 * Returns the present fields, pattern by pattern, without duplicates; for one pattern in row order. With `withMissing`
 * also missing fields that are listed by plain name.
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
