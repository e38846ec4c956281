import { work } from '../../base/index.ts'
import {
  compareText,
  field,
  recordBatch,
  valueAt,
  type Column,
  type RecordBatch,
  type Schema,
} from '../../data/index.ts'
import type { Frame } from './frame.ts'

function hasValue(column: Column): boolean {
  work(column.length >> 3)
  for (let row = 0; row < column.length; row++) if (valueAt(column, row) !== null) return true
  return false
}

/**
 * Converts a frame to a record batch: fields of the schema in schema order, then other fields by code point of their
 * names. With `onlyPresent`, fields that no row has are omitted.
 */
export function batchOfFrame(schema: Schema, frame: Frame, onlyPresent = false): RecordBatch {
  const known = new Set(schema.fields.map((f) => f.name))
  const isShown = (name: string): boolean => !known.has(name) && (!onlyPresent || hasValue(frame.column(name)))
  const others = schema.isOpen ? frame.names.filter(isShown).sort(compareText) : []
  const fields = [...schema.fields, ...others.map((name) => field(name, 'any', 'dynamic'))]
  return recordBatch(
    { fields, isOpen: schema.isOpen },
    frame.rowCount,
    fields.map((f) => {
      work(frame.rowCount)
      return frame.column(f.name)
    }),
  )
}
