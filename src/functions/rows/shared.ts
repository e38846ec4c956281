import type { Meter } from '../../base/index.ts'
import { isEmptyValue, toText, type MutableRow, type Value } from '../../data/index.ts'
import { matchesField, plainName, type FieldPattern } from '../../plan/index.ts'

/** The text of a field; missing is `''`. */
export function textAt(row: MutableRow, name: string): string {
  return toText(row.get(name) ?? null)
}

/** A parsed list or object of a long text may take so many times its characters. */
const PARSED_BYTES = 8

/** The text of a field that is about to be parsed as JSON. Throws `budget/memory` when there is no place for its parts. */
export function jsonTextAt(row: MutableRow, name: string, meter: Meter): string {
  const text = textAt(row, name)
  meter.room(text.length * PARSED_BYTES)
  return text
}

/** What becomes of a field that has a value already, and of a result that is empty. */
export interface Overwriting {
  readonly keepsOriginal: boolean
  readonly skipsEmpty: boolean
}

export function writeResult(row: MutableRow, name: string, value: Value, how: Overwriting): void {
  if (how.keepsOriginal && !isEmptyValue(row.get(name) ?? null)) return
  if (how.skipsEmpty && isEmptyValue(value)) return
  row.set(name, value)
}

/** Patterns as parameters carry them: lists of literal parts. */
export type PatternLists = readonly (readonly string[])[]

export function patternsOf(lists: PatternLists): readonly FieldPattern[] {
  return lists.map((parts) => ({ parts }))
}

export function matchesAny(patterns: readonly FieldPattern[], name: string): boolean {
  return patterns.some((pattern) => matchesField(pattern, name))
}

/**
 * The fields that are there, pattern by pattern in the order given, each once; those of one pattern in row order. With
 * `withMissing` also those that a pattern without a star names.
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
