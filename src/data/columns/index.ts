import type { Value } from '../value.ts'
import type { ConstantColumn } from './constant.ts'
import type { ValuesColumn } from './values.ts'

export type { ConstantColumn } from './constant.ts'
export type { ValuesColumn } from './values.ts'

/** A closed union of encodings; each has a `length` and answers `valueAt`. */
export type Column = ConstantColumn | ValuesColumn

export function valueAt(column: Column, index: number): Value {
  switch (column.kind) {
    case 'constant':
      return column.value
    case 'values':
      return column.values[index]
  }
}

export function columnOfValues(values: readonly Value[]): Column {
  return { kind: 'values', length: values.length, values }
}

export function constantColumn(value: Value, length: number): Column {
  return { kind: 'constant', length, value }
}
