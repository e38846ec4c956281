import type { Value } from '../value.ts'
import type { ConstantColumn } from './constant.ts'
import type { DictionaryColumn } from './dictionary.ts'
import { mixedAt, type MixedColumn } from './mixed.ts'
import { float64At, int64At, timeAt, type Float64Column, type Int64Column, type TimeColumn } from './numeric.ts'
import { chunkOfRow, sparseIndex, type ChunkedColumn, type GatheredColumn, type SparseColumn } from './sparse.ts'
import { textColumnAt, type TextColumn } from './text.ts'
import type { ValuesColumn } from './values.ts'

/** A column of values in one of several encodings (a closed union). `length` and `valueAt` work for all of them. */
export type Column =
  | ConstantColumn
  | ValuesColumn
  | DictionaryColumn
  | TextColumn
  | Float64Column
  | Int64Column
  | TimeColumn
  | MixedColumn
  | SparseColumn<Column>
  | GatheredColumn<Column>
  | ChunkedColumn<Column>

export function valueAt(column: Column, index: number): Value {
  switch (column.kind) {
    case 'constant':
      return column.value
    case 'values':
      return column.values[index]
    case 'dictionary':
      return column.dictionary.valueAt(column.codes[index])
    case 'text':
      return textColumnAt(column, index)
    case 'float64':
      return float64At(column, index)
    case 'int64':
      return int64At(column, index)
    case 'time':
      return timeAt(column, index)
    case 'mixed':
      return mixedAt(column, index)
    case 'sparse': {
      const at = sparseIndex(column.rows, index)
      return at === -1 ? null : valueAt(column.present, at)
    }
    case 'gathered':
      return valueAt(column.source, column.rows[index])
    case 'chunked': {
      const chunk = chunkOfRow(column.starts, index)
      return valueAt(column.chunks[chunk], index - column.starts[chunk])
    }
  }
}

/**
 * Like `valueAt`, but returns only the first `maxBytes + 1` bytes of a stored string that is longer, so that the result
 * is also longer than `maxBytes`.
 */
export function headAt(column: Column, index: number, maxBytes: number): Value {
  switch (column.kind) {
    case 'text':
      return textColumnAt(column, index, maxBytes + 1)
    case 'sparse': {
      const at = sparseIndex(column.rows, index)
      return at === -1 ? null : headAt(column.present, at, maxBytes)
    }
    case 'gathered':
      return headAt(column.source, column.rows[index], maxBytes)
    case 'chunked': {
      const chunk = chunkOfRow(column.starts, index)
      return headAt(column.chunks[chunk], index - column.starts[chunk], maxBytes)
    }
    default:
      return valueAt(column, index)
  }
}

/** Returns whether a column holds computed values instead of stored ones. */
export function holdsValues(column: Column): boolean {
  switch (column.kind) {
    case 'values':
      return true
    case 'gathered':
      return holdsValues(column.source)
    case 'sparse':
      return holdsValues(column.present)
    case 'chunked':
      return column.chunks.some(holdsValues)
    default:
      return false
  }
}

export function columnOfValues(values: readonly Value[]): ValuesColumn {
  return { kind: 'values', length: values.length, values }
}

export function constantColumn(value: Value, length: number): Column {
  return { kind: 'constant', length, value }
}
