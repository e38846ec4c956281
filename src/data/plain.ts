import { formatRfc3339, present } from '../base/index.ts'
import type { RecordBatch } from './batch.ts'
import { valueAt, type Column } from './columns/index.ts'
import { parseJsonPlain, type PlainJson } from './parse-json.ts'
import { Instant, JsonText, type Value } from './value.ts'

/**
 * A value in the form that programs use. Strings, booleans and numbers are unchanged; a missing value is `null`; an
 * integer beyond 2^53 is a `bigint`; a time is an RFC 3339 string in UTC with nine fraction digits; JSON lists and
 * objects are parsed; a number with its source (`1.10`) is a number.
 */
export type PlainValue = PlainJson

/** An answer row as an object with one member per column, in answer order. */
export type PlainRow = Record<string, PlainValue>

export function plainValue(value: Value): PlainValue {
  if (value instanceof Instant) return formatRfc3339(value.ns)
  if (value instanceof JsonText) return parseJsonPlain(value.json)
  return value
}

/**
 * Adds a column's values to the rows that have them. Rows are filled column by column, so that the loop sees one
 * encoding at a time.
 */
function addValues(rows: readonly PlainRow[], name: string, column: Column, keepsMissing: boolean): void {
  // Assigning to `__proto__` would not create a property.
  const isAssigned = name !== '__proto__'
  for (let index = 0; index < rows.length; index++) {
    const stored = valueAt(column, index)
    if (stored === null && !keepsMissing) continue
    const row = present(rows[index])
    const value = plainValue(stored)
    if (isAssigned) row[name] = value
    else Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
  }
}

/** Returns the rows of a batch. Missing values are left out for dynamic fields and `null` for named fields. */
export function plainRowsOf({ schema, columns, rowCount }: RecordBatch): PlainRow[] {
  const rows = Array.from({ length: rowCount }, (): PlainRow => ({}))
  for (const [c, { name, presence }] of schema.fields.entries())
    addValues(rows, name, present(columns[c]), presence === 'named')
  return rows
}
