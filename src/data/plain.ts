import { formatRfc3339, present } from '../base/index.ts'
import type { RecordBatch } from './batch.ts'
import { valueAt, type Column } from './columns/index.ts'
import { parseJsonPlain, type PlainJson } from './parse-json.ts'
import { Instant, JsonText, type Value } from './value.ts'

/**
 * A value as programs use it: texts, booleans and numbers as they are, a missing value as `null`, integers beyond 2^53
 * as `bigint`, times as RFC 3339 text in UTC with nine fraction digits, JSON lists and objects as such; a number with
 * its text (`1.10`) as the number.
 */
export type PlainValue = PlainJson

/** An answer row as an object of its own, keyed by column in answer order. */
export type PlainRow = Record<string, PlainValue>

export function plainValue(value: Value): PlainValue {
  if (value instanceof Instant) return formatRfc3339(value.ns)
  if (value instanceof JsonText) return parseJsonPlain(value.json)
  return value
}

/**
 * Adds a column's values to the rows that have them, column by column, so that the reading code sees one kind of column
 * at a time.
 */
function addValues(rows: readonly PlainRow[], name: string, column: Column, keepsMissing: boolean): void {
  // Assigning to this name would make no property.
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

/** The rows of a batch; missing values of dynamic fields are left out, those of named fields are `null`. */
export function plainRowsOf({ schema, columns, rowCount }: RecordBatch): PlainRow[] {
  const rows = Array.from({ length: rowCount }, (): PlainRow => ({}))
  for (const [c, { name, presence }] of schema.fields.entries())
    addValues(rows, name, present(columns[c]), presence === 'named')
  return rows
}
