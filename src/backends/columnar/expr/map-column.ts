import { work } from '../../../base/index.ts'
import { columnOfValues, constantColumn, valueAt, type Column, type Value } from '../../../data/index.ts'

/** Counts the work for a value, by its length when it is a text. */
function worked(value: Value): Value {
  work(typeof value === 'string' ? 4 + (value.length >>> 4) : 4)
  return value
}

/** Maps a column by a pure function of one value; each dictionary entry is mapped once. */
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

/** Maps columns by a pure function of several values. */
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

/** Like `mapColumns`, but calls the function for each row, for functions whose result differs each time. */
export function mapRows(columns: readonly Column[], length: number, map: (values: readonly Value[]) => Value): Column {
  const values: Value[] = Array<Value>(length)
  for (let row = 0; row < length; row++) values[row] = worked(map(columns.map((column) => valueAt(column, row))))
  return columnOfValues(values)
}
