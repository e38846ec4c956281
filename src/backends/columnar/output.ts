import { compareText, field, recordBatch, type RecordBatch, type Schema } from '../../data/index.ts'
import type { Frame } from './frame.ts'

/** A frame as an answer: the schema's fields in their order, then what else the rows have, by code point of the name. */
export function batchOfFrame(schema: Schema, frame: Frame): RecordBatch {
  const known = new Set(schema.fields.map((f) => f.name))
  const others = schema.isOpen ? frame.names.filter((name) => !known.has(name)).sort(compareText) : []
  const fields = [...schema.fields, ...others.map((name) => field(name, 'any', 'dynamic'))]
  return recordBatch(
    { fields, isOpen: schema.isOpen },
    frame.rowCount,
    fields.map((f) => frame.column(f.name)),
  )
}
