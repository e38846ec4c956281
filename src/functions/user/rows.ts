import type { JsonValue } from '../../base/index.ts'
import type { MutableRow, Value } from '../../data/index.ts'
import type { RowFunction, RowImplementation, TableFunction, TableImplementation } from '../definition.ts'
import { failFunction } from '../diagnostics.ts'
import { KeptRows } from '../tables/define.ts'
import { guarded, plainRow, rowFrom, type PlainRow } from './values.ts'

/** The code of a user-defined pipe for one row. If it returns `undefined`, the row is dropped. */
export type PlainRowFunction = (row: PlainRow) => PlainRow | readonly PlainRow[] | undefined

/** The fields that a function reads and writes. All other fields stay in their row unchanged. */
export interface Fields {
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}

/**
 * Converts a function over plain objects to a row function. With `fields`, the function receives and changes only these
 * fields.
 */
export function userRowFunction(
  definition: RowFunction,
  {
    make,
    fields,
    isOneToOne,
  }: {
    readonly make: (params: JsonValue) => PlainRowFunction
    readonly fields: (params: JsonValue) => Fields | undefined
    readonly isOneToOne: boolean
  },
): RowImplementation {
  const { name } = definition
  return {
    ...definition,
    compile: (params) => {
      const run = guarded(name, () => make(params))
      const declared = guarded(name, () => fields(params))
      const changed = (row: MutableRow, given: unknown): MutableRow => {
        if (declared === undefined) return rowFrom(name, given)
        const made = rowFrom(name, given)
        const copy = new Map<string, Value>(row)
        for (const field of declared.writes) copy.set(field, made.get(field) ?? null)
        return copy
      }
      return (row) => {
        const given: unknown = guarded(name, () => run(plainRow(row, declared?.reads)))
        if (isOneToOne && (given === undefined || Array.isArray(given)))
          failFunction(name, 'it gave other than one row for one row')
        if (given === undefined) return []
        return Array.isArray(given) ? given.map((one) => changed(row, one)) : changed(row, given)
      }
    },
  }
}

export function userTableFunction(
  definition: TableFunction,
  make: (params: JsonValue) => (rows: readonly PlainRow[]) => Iterable<PlainRow>,
): TableImplementation {
  const { name } = definition
  return {
    ...definition,
    compile: (params, { meter }) => {
      const run = guarded(name, () => make(params))
      return new KeptRows(meter, (rows) => {
        const given: unknown = guarded(name, () => run(rows.map((row) => plainRow(row))))
        if (typeof given !== 'object' || given === null || !(Symbol.iterator in given))
          failFunction(name, 'it gave no list of rows')
        return guarded(name, () => Array.from(given as Iterable<unknown>)).map((row) => rowFrom(name, row))
      })
    },
  }
}
