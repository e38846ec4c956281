import { columnOfValues, valueAt, type Column, type MutableRow, type Row, type Value } from '../../data/index.ts'
import { Frame, type Identity } from './frame.ts'

/** So many fields have a slot in every row; of further ones only the rows are kept that have them. */
const DENSE_FIELDS = 64

/** The values of one field, and where few rows have it, of which rows. */
interface Gathering {
  readonly values: Value[]
  readonly rows: number[] | undefined
}

/** A frame of rows; its columns are all the names met. */
export function frameOfRows(rows: readonly Row[], identity?: Identity): Frame {
  const fields = new Map<string, Gathering>()
  rows.forEach((row, index) => {
    for (const [name, value] of row) {
      let field = fields.get(name)
      if (field === undefined) {
        field =
          fields.size < DENSE_FIELDS
            ? { values: Array<Value>(rows.length).fill(null), rows: undefined }
            : { values: [], rows: [] }
        fields.set(name, field)
      }
      if (field.rows === undefined) field.values[index] = value
      else {
        field.rows.push(index)
        field.values.push(value)
      }
    }
  })
  return new Frame(
    rows.length,
    new Map([...fields].map(([name, field]) => [name, columnOf(field, rows.length)])),
    identity,
  )
}

function columnOf({ values, rows }: Gathering, length: number): Column {
  const present = columnOfValues(values)
  if (rows === undefined || rows.length === length) return present
  return { kind: 'sparse', length, rows: Uint32Array.from(rows), present }
}

/** Makes rows of these fields of a frame; missing values are left out. */
export function rowReader(frame: Frame, names: readonly string[]): (row: number) => MutableRow {
  const columns: (readonly [string, Column])[] = names.map((name) => [name, frame.column(name)])
  return (index) => {
    const row: MutableRow = new Map()
    for (const [name, column] of columns) {
      const value = valueAt(column, index)
      if (value !== null) row.set(name, value)
    }
    return row
  }
}
