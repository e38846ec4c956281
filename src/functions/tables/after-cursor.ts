import { parseRfc3339 } from '../../base/index.ts'
import { compareSortKey, Instant, type Row, type Value } from '../../data/index.ts'
import type { TableState } from '../definition.ts'
import { defineTableFunction, rowBytes } from './define.ts'

interface Params {
  readonly keys: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
  readonly values: readonly (string | number | boolean | null)[]
}

class AfterCursorState implements TableState {
  readonly #rows: Row[] = []
  readonly #params: Params
  readonly #values: readonly Value[]
  #bytes = 64

  constructor(params: Params) {
    this.#params = params
    this.#values = params.values.map((value) => {
      const ns = typeof value === 'string' ? parseRfc3339(value) : undefined
      return ns === undefined ? value : new Instant(ns)
    })
  }

  add(row: Row): void {
    for (const [i, { field, direction }] of this.#params.keys.entries()) {
      const order = compareSortKey(row.get(field) ?? null, this.#values[i] ?? null, direction)
      if (order < 0) return
      if (order > 0) {
        this.#rows.push(row)
        this.#bytes += rowBytes(row)
        return
      }
    }
  }

  bytes(): number {
    return this.#bytes
  }

  finish(): Iterable<Row> {
    return this.#rows
  }
}

export const afterCursor = defineTableFunction<Params>({
  name: 'after_cursor',
  compile: (params) => new AfterCursorState(params),
  doc: {
    summary: 'The rows that sort after some values: the next page.',
    parameters: [
      { name: 'keys', text: 'sort keys' },
      { name: 'values', text: 'their values in the last row seen' },
    ],
    examples: [],
  },
})
