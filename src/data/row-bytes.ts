import type { RecordBatch } from './batch.ts'
import type { Row } from './row.ts'
import { JsonText, type Value } from './value.ts'

/** Estimates the bytes of a stored value. */
export function valueBytes(value: Value): number {
  if (typeof value === 'string') return 24 + value.length * 2
  return value instanceof JsonText ? 40 + value.json.length * 2 : 16
}

/** Estimates the bytes of a stored row; rows share their names. */
export function rowBytes(row: Row): number {
  let bytes = 64
  for (const value of row.values()) bytes += 32 + valueBytes(value)
  return bytes
}

/** Estimates the bytes of a batch: its values when they are stored one by one, else one slot for each. */
export function batchBytes({ columns, rowCount }: RecordBatch): number {
  let bytes = 0
  for (const column of columns) {
    if (column.kind === 'values') for (const value of column.values) bytes += valueBytes(value)
    else bytes += rowCount * 8
  }
  return bytes
}
