import { hasMember, checkArgument, present } from '../base/index.ts'
import type { Column } from './columns/index.ts'
import { columnOfValues, valueAt } from './columns/index.ts'
import type { MutableRow, Row } from './row.ts'
import { field, type Schema } from './schema.ts'
import type { Value } from './value.ts'

/**
 * A batch of up to some thousand rows as columns; `columns[i]` belongs to `schema.fields[i]` and has `rowCount` values.
 * The order of batches, and of rows in them, is the order of the answer.
 */
export interface RecordBatch {
  readonly schema: Schema
  readonly rowCount: number
  readonly columns: readonly Column[]
}

export function recordBatch(schema: Schema, rowCount: number, columns: readonly Column[]): RecordBatch {
  return { schema, rowCount, columns }
}

/** Yields the rows of a batch. A row omits dynamic fields whose value is missing; named fields are `null`. */
export function* rowsOf(batch: RecordBatch): Generator<Row> {
  checkArgument(hasMember(batch, 'schema'), batch, 'a batch', 'rowsOf(batch)')
  const { fields } = batch.schema
  for (let index = 0; index < batch.rowCount; index++) {
    const row: MutableRow = new Map()
    for (const [c, { name, presence }] of fields.entries()) {
      const value = valueAt(present(batch.columns[c]), index)
      if (value !== null || presence === 'named') row.set(name, value)
    }
    yield row
  }
}

/**
 * Makes a batch from rows. If the schema is open, the batch's schema also gets the other fields of the rows, in order
 * of first appearance.
 */
export function batchOfRows(schema: Schema, rows: readonly Row[]): RecordBatch {
  const fields = [...schema.fields]
  if (schema.isOpen) {
    const known = new Set(fields.map((f) => f.name))
    for (const row of rows) {
      for (const name of row.keys()) {
        if (known.has(name)) continue
        known.add(name)
        fields.push(field(name, 'any', 'dynamic'))
      }
    }
  }
  const columns = fields.map((f) => {
    const values: Value[] = rows.map((row) => row.get(f.name) ?? null)
    return columnOfValues(values)
  })
  return { schema: { fields, isOpen: schema.isOpen }, rowCount: rows.length, columns }
}
