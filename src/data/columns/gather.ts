import { createBitmap, hasBit, setBit, type Bitmap } from '../bitmap.ts'
import type { Value } from '../value.ts'
import type { Codes } from './dictionary.ts'
import { columnOfValues, constantColumn, valueAt, type Column } from './column.ts'
import { sparseIndex, type SparseColumn } from './sparse.ts'

/** Returns codes of the same width at the given rows. */
export function gatherCodes<C extends Codes>(codes: C, rows: Uint32Array): C {
  const length = rows.length
  const out =
    codes instanceof Uint8Array
      ? new Uint8Array(length)
      : codes instanceof Uint16Array
        ? new Uint16Array(length)
        : new Uint32Array(length)
  for (let i = 0; i < length; i++) out[i] = codes[rows[i]]
  return out as C
}

function gatherFloats(values: Float64Array, rows: Uint32Array): Float64Array {
  const out = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) out[i] = values[rows[i]]
  return out
}

/** Returns a bitmap with the bits of the given rows, in the order of `rows`. */
export function bitsTaken(bits: Bitmap | undefined, rows: Uint32Array): Bitmap | undefined {
  if (bits === undefined) return undefined
  const out = createBitmap(rows.length)
  for (let i = 0; i < rows.length; i++) if (hasBit(bits, rows[i])) setBit(out, i)
  return out
}

/**
 * Returns whether a few rows of a column can be read without reading all. Such rows should be gathered in one call, not
 * one by one.
 */
export function isInPieces(column: Column): boolean {
  switch (column.kind) {
    case 'dictionary':
    case 'float64':
    case 'int64':
    case 'time':
    case 'mixed':
      return column.taken !== undefined
    case 'sparse':
      return isInPieces(column.present)
    case 'gathered':
      return isInPieces(column.source)
    case 'chunked':
      return column.chunks.some(isInPieces)
    case 'constant':
    case 'values':
    case 'text':
      return false
  }
}

/**
 * Returns the column's values at `rows`, in that order. Short values are copied; strings are not copied, the result
 * refers to the column.
 */
export function gather(column: Column, rows: Uint32Array): Column {
  const { length } = rows
  switch (column.kind) {
    case 'constant':
      return constantColumn(column.value, length)
    case 'values': {
      const values = Array.from(rows, (row) => column.values[row])
      return columnOfValues(values)
    }
    case 'dictionary':
      if (column.taken !== undefined) return column.taken(rows)
      return { kind: 'dictionary', length, codes: gatherCodes(column.codes, rows), dictionary: column.dictionary }
    case 'float64':
      if (column.taken !== undefined) return column.taken(rows)
      return {
        kind: 'float64',
        length,
        values: gatherFloats(column.values, rows),
        validity: bitsTaken(column.validity, rows),
      }
    case 'time':
      if (column.taken !== undefined) return column.taken(rows)
      return {
        ...column,
        length,
        deltas: gatherFloats(column.deltas, rows),
        validity: bitsTaken(column.validity, rows),
      }
    case 'gathered': {
      const through = new Uint32Array(length)
      for (let i = 0; i < length; i++) through[i] = column.rows[rows[i]]
      return gather(column.source, through)
    }
    case 'sparse':
      return gatherSparse(column, rows)
    case 'int64':
    case 'mixed':
      return column.taken?.(rows) ?? { kind: 'gathered', length, rows, source: column }
    case 'text':
    case 'chunked':
      return { kind: 'gathered', length, rows, source: column }
  }
}

function gatherSparse({ rows: present, present: source }: SparseColumn<Column>, rows: Uint32Array): Column {
  const { length } = rows
  const indexes: number[] = []
  const found: number[] = []
  for (let i = 0; i < length; i++) {
    const at = sparseIndex(present, rows[i])
    if (at === -1) continue
    indexes.push(i)
    found.push(at)
  }
  if (found.length === 0) return constantColumn(null, length)
  const values = gather(source, Uint32Array.from(found))
  // Sparse, because with thousands of fields each column would otherwise need a list of all rows.
  if (found.length < length / 2) return { kind: 'sparse', length, rows: Uint32Array.from(indexes), present: values }
  const dense = Array<Value>(length).fill(null)
  indexes.forEach((index, i) => (dense[index] = valueAt(values, i)))
  return columnOfValues(dense)
}

/** Returns the rows `[from, to)` without copying; `undefined` if the encoding does not allow it. */
export function viewOfRows(column: Column, from: number, to: number): Column | undefined {
  const length = to - from
  if (column.kind === 'constant') return constantColumn(column.value, length)
  if (column.kind === 'dictionary' && column.taken === undefined)
    return { kind: 'dictionary', length, codes: column.codes.subarray(from, to), dictionary: column.dictionary }
  if (column.kind === 'float64' && column.taken === undefined && column.validity === undefined)
    return { kind: 'float64', length, values: column.values.subarray(from, to), validity: undefined }
  if (column.kind === 'time' && column.taken === undefined && column.validity === undefined)
    return { ...column, length, deltas: column.deltas.subarray(from, to) }
  return undefined
}
