import type { RecordBatch } from './batch.ts'
import type { Row } from './row.ts'
import { JsonText, type Value } from './value.ts'

/** Returns the estimated bytes of a stored value. */
export function valueBytes(value: Value): number {
  if (typeof value === 'string') return 24 + value.length * 2
  return value instanceof JsonText ? 40 + value.json.length * 2 : 16
}

/** Returns the estimated bytes of a stored row, without field names, which rows share. */
export function rowBytes(row: Row): number {
  let bytes = 64
  for (const value of row.values()) bytes += 32 + valueBytes(value)
  return bytes
}

/**
 * Returns the estimated bytes of a batch: the sizes of values that are stored one by one, and 8 bytes for each other
 * value.
 */
export function batchBytes({ columns, rowCount }: RecordBatch): number {
  let bytes = 0
  for (const column of columns) {
    if (column.kind === 'values') for (const value of column.values) bytes += valueBytes(value)
    else bytes += rowCount * 8
  }
  return bytes
}
