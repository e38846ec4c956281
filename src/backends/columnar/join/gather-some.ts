import {
  columnOfValues,
  constantColumn,
  createBitmap,
  gather,
  gatherCodes,
  hasBit,
  setBit,
  valueAt,
  type Column,
} from '../../../data/index.ts'
import { NO_ROW } from './pairs.ts'

/** The column's values at `rows`; missing where a row is none. */
export function gatherSome(column: Column, rows: Uint32Array): Column {
  const { length } = rows
  if (!rows.includes(NO_ROW)) return gather(column, rows)
  if (column.kind === 'constant' && column.value === null) return constantColumn(null, length)
  if (column.kind === 'dictionary') {
    // A read beyond the end stores 0 in a typed array, which is the code of what is missing.
    return { kind: 'dictionary', length, codes: gatherCodes(column.codes, rows), dictionary: column.dictionary }
  }
  if (column.kind === 'float64') {
    const values = new Float64Array(length)
    const validity = createBitmap(length)
    for (let i = 0; i < length; i++) {
      const row = rows[i]
      const isThere = row !== NO_ROW && (column.validity === undefined || hasBit(column.validity, row))
      values[i] = isThere ? column.values[row] : NaN
      if (isThere) setBit(validity, i)
    }
    return { kind: 'float64', length, values, validity }
  }
  return columnOfValues(Array.from(rows, (row) => (row === NO_ROW ? null : valueAt(column, row))))
}
