import { formatRfc3339 } from '../base/index.ts'
import { rowsOf, type RecordBatch } from './batch.ts'
import { parseJsonExact, type ExactJson } from './parse-json.ts'
import { Instant, JsonText, type Value } from './value.ts'

/**
 * A value as a program takes it: texts, booleans and numbers as they are, a missing value as `null`, integers beyond
 * 2^53 as `bigint`, times as RFC 3339 text in UTC with nine fraction digits, JSON lists and objects as lists and objects.
 */
export type PlainValue = ExactJson

/** An answer row as an object of its own, keyed by column in answer order. */
export type PlainRow = Record<string, PlainValue>

export function plainValue(value: Value): PlainValue {
  if (value instanceof Instant) return formatRfc3339(value.ns)
  if (value instanceof JsonText) return parseJsonExact(value.json)
  return value
}

/** The rows of a batch; missing values of dynamic fields are left out, those of named fields are `null`. */
export function plainRowsOf(batch: RecordBatch): PlainRow[] {
  return [...rowsOf(batch)].map((row) =>
    // Unlike an assignment, this makes an own property of any name, `__proto__` too.
    Object.fromEntries(Array.from(row, ([name, value]) => [name, plainValue(value)])),
  )
}
