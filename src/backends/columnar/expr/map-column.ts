import { work } from '../../../base/index.ts'
import { columnOfValues, constantColumn, valueAt, type Column, type Value } from '../../../data/index.ts'

/** Counts work for the query's checkpoints, in proportion to the length of a string; returns the value unchanged. */
function worked(value: Value): Value {
  work(typeof value === 'string' ? 4 + (value.length >>> 4) : 4)
  return value
}

/** Returns a column with `map` applied to each value. `map` must be pure; each dictionary entry is mapped only once. */
export function mapColumn(column: Column, map: (value: Value) => Value): Column {
  const { length } = column
  if (column.kind === 'constant') return constantColumn(map(column.value), length)
  const values: Value[] = Array<Value>(length)
  if (column.kind === 'dictionary' && column.dictionary.size <= length) {
    const known: (Value | undefined)[] = []
    const { codes, dictionary } = column
    for (let row = 0; row < length; row++) {
      const code = codes[row]
      values[row] = known[code] ??= worked(map(dictionary.valueAt(code)))
    }
  } else {
    for (let row = 0; row < length; row++) values[row] = worked(map(valueAt(column, row)))
  }
  return columnOfValues(values)
}

/**
 * Returns a column with the results of `map`, called with the values of each row. `map` must be pure; rows with equal
 * inputs may share a result.
 */
export function mapColumns(
  columns: readonly Column[],
  length: number,
  map: (values: readonly Value[]) => Value,
): Column {
  if (columns.length === 1) return mapColumn(columns[0], (value) => map([value]))
  const varying = columns.filter((column) => column.kind !== 'constant')
  if (varying.length === 0) {
    return constantColumn(map(columns.map((column) => valueAt(column, 0))), length)
  }
  if (varying.length === 1) {
    return mapColumn(varying[0], (value) =>
      map(columns.map((column) => (column.kind === 'constant' ? column.value : value))),
    )
  }
  return mapRows(columns, length, map)
}

/**
 * Like `mapColumns`, but calls `map` once for each row, for functions whose result may differ between calls with equal
 * inputs.
 */
export function mapRows(columns: readonly Column[], length: number, map: (values: readonly Value[]) => Value): Column {
  const values: Value[] = Array<Value>(length)
  for (let row = 0; row < length; row++) values[row] = worked(map(columns.map((column) => valueAt(column, row))))
  return columnOfValues(values)
}
