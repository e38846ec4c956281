import {
  columnOfValues,
  constantColumn,
  createBitmap,
  hasBit,
  setBit,
  valueAt,
  type Column,
} from '../../../data/index.ts'
import { NO_ROW } from './pairs.ts'

/** The column's values at `rows`, some of which are none: missing there. */
export function gatherSome(column: Column, rows: Uint32Array): Column {
  const { length } = rows
  if (column.kind === 'constant' && column.value === null) return constantColumn(null, length)
  if (column.kind === 'dictionary') {
    const { codes, dictionary } = column
    const CodeArray =
      codes instanceof Uint8Array ? Uint8Array : codes instanceof Uint16Array ? Uint16Array : Uint32Array
    const out = new CodeArray(length)
    // 0 is the code of what is missing.
    for (let i = 0; i < length; i++) if (rows[i] !== NO_ROW) out[i] = codes[rows[i]]
    return { kind: 'dictionary', length, codes: out, dictionary }
  }
  if (column.kind === 'float64') {
    const values = new Float64Array(length).fill(NaN)
    const validity = createBitmap(length)
    for (let i = 0; i < length; i++) {
      const row = rows[i]
      if (row === NO_ROW || (column.validity !== undefined && !hasBit(column.validity, row))) continue
      values[i] = column.values[row]
      setBit(validity, i)
    }
    return { kind: 'float64', length, values, validity }
  }
  return columnOfValues(Array.from(rows, (row) => (row === NO_ROW ? null : valueAt(column, row))))
}
