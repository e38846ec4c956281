import { columnOfValues, valueAt, type Column, type MutableRow, type Row, type Value } from '../../data/index.ts'
import { Frame, type Identity } from './frame.ts'

/** A frame of rows; its columns are all the names met. */
export function frameOfRows(rows: readonly Row[], identity?: Identity): Frame {
  const columns = new Map<string, Value[]>()
  rows.forEach((row, index) => {
    for (const [name, value] of row) {
      let values = columns.get(name)
      if (values === undefined) {
        values = Array<Value>(rows.length).fill(null)
        columns.set(name, values)
      }
      values[index] = value
    }
  })
  return new Frame(rows.length, new Map([...columns].map(([name, values]) => [name, columnOfValues(values)])), identity)
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
