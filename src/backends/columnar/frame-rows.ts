import {
  columnOfValues,
  headAt,
  valueAt,
  type Column,
  type MutableRow,
  type Row,
  type Value,
} from '../../data/index.ts'
import { Frame, type RowIdentity } from './frame.ts'

/** The collected values of one field, and the numbers of the rows that have it. */
interface Gathering {
  readonly values: Value[]
  readonly rows: number[]
}

/** Makes a frame from row objects, with a column for each field name that occurs. */
export function frameOfRows(rows: readonly Row[], identity?: RowIdentity): Frame {
  const fields = new Map<string, Gathering>()
  rows.forEach((row, index) => {
    for (const [name, value] of row) {
      let field = fields.get(name)
      if (field === undefined) fields.set(name, (field = { values: [], rows: [] }))
      field.rows.push(index)
      field.values.push(value)
    }
  })
  return new Frame(
    rows.length,
    new Map([...fields].map(([name, field]) => [name, columnOf(field, rows.length)])),
    identity,
  )
}

/** Makes a column of `length` rows: plain if at least half of the rows have the field, else sparse. */
function columnOf({ values, rows }: Gathering, length: number): Column {
  if (rows.length === length) return columnOfValues(values)
  if (rows.length < length / 2)
    return { kind: 'sparse', length, rows: Uint32Array.from(rows), present: columnOfValues(values) }
  const dense = Array<Value>(length).fill(null)
  rows.forEach((row, index) => (dense[row] = values[index] ?? null))
  return columnOfValues(dense)
}

/**
 * Returns a function that makes a row object with these fields of a frame; missing values are omitted. Strings longer
 * than `maxTextBytes` may be truncated to a length that still exceeds `maxTextBytes`.
 */
export function rowReader(frame: Frame, names: readonly string[], maxTextBytes?: number): (row: number) => MutableRow {
  const columns = names.map((name, order) => ({ name, order, column: frame.column(name) }))
  const common = columns.filter(({ column }) => column.kind !== 'sparse')
  // Row objects of frames with thousands of sparse fields must visit only the fields that the row has.
  const own = new Map<number, (typeof columns)[number][]>()
  for (const each of columns) {
    if (each.column.kind !== 'sparse') continue
    for (const row of each.column.rows) {
      const fields = own.get(row)
      if (fields === undefined) own.set(row, [each])
      else fields.push(each)
    }
  }
  return (index) => {
    const found = own.get(index)
    const row: MutableRow = new Map()
    for (const { name, column } of found === undefined
      ? common
      : [...common, ...found].sort((a, b) => a.order - b.order)) {
      const value = maxTextBytes === undefined ? valueAt(column, index) : headAt(column, index, maxTextBytes)
      if (value !== null) row.set(name, value)
    }
    return row
  }
}
