import type { Meter } from '../../base/index.ts'
import { compareSortKey, groupTupleText, type MutableRow, type Row, type Value } from '../../data/index.ts'
import type { CompileTable, TableFunction } from '../definition.ts'
import { KeptRows } from './define.ts'

export interface WindowCall {
  readonly fn: 'lag' | 'lead' | 'row_number' | 'rank' | 'dense_rank'
  /** Name of the field that `lag` and `lead` read; `null` for other functions. */
  readonly field: string | null
  readonly offset: number
  /** Value of `lag` and `lead` for rows without a neighbour at that distance. */
  readonly default: string | number | boolean | null
  readonly into: string
}

export interface WindowParams {
  readonly partitionBy: readonly string[]
  readonly orderBy: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
  readonly calls: readonly WindowCall[]
}

function keyOf(row: Row, names: readonly string[]): string {
  return groupTupleText(names.map((name) => row.get(name) ?? null))
}

/** Writes the results of all calls to the rows of one partition, which must be in window order. */
function fill(rows: readonly MutableRow[], { orderBy, calls }: WindowParams): void {
  const keys = rows.map((row) => orderBy.map(({ field }) => row.get(field) ?? null))
  const isTie = (a: number, b: number): boolean =>
    orderBy.every(({ direction }, k) => compareSortKey(keys[a]?.[k] ?? null, keys[b]?.[k] ?? null, direction) === 0)
  const sources = calls.map(({ field }) => rows.map((row) => (field === null ? null : (row.get(field) ?? null))))
  let rank = 1
  let denseRank = 1
  for (const [i, row] of rows.entries()) {
    if (i > 0 && !isTie(i, i - 1)) {
      rank = i + 1
      denseRank++
    }
    for (const [c, call] of calls.entries()) row.set(call.into, valueOf(call, sources[c] ?? [], i, rank, denseRank))
  }
}

function valueOf(call: WindowCall, source: readonly Value[], i: number, rank: number, denseRank: number): Value {
  switch (call.fn) {
    case 'row_number':
      return i + 1
    case 'rank':
      return rank
    case 'dense_rank':
      return denseRank
    case 'lag':
    case 'lead': {
      const at = call.fn === 'lag' ? i - call.offset : i + call.offset
      const value = source[at]
      // The default is only for a missing neighbouring row, not for a missing value in that row.
      return value === undefined ? call.default : value
    }
  }
}

function windowed(rows: readonly Row[], params: WindowParams, meter: Meter): Iterable<Row> {
  const copies = rows.map((row): MutableRow => {
    meter.charge(64 + 32 * (row.size + params.calls.length))
    return new Map(row)
  })
  const partitions = new Map<string, MutableRow[]>()
  for (const row of copies) {
    const key = keyOf(row, params.partitionBy)
    const partition = partitions.get(key)
    if (partition === undefined) partitions.set(key, [row])
    else partition.push(row)
  }
  for (const partition of partitions.values()) {
    const sorted = partition.toSorted((a, b) => {
      for (const { field, direction } of params.orderBy) {
        const order = compareSortKey(a.get(field) ?? null, b.get(field) ?? null, direction)
        if (order !== 0) return order
      }
      return 0
    })
    fill(sorted, params)
  }
  return copies
}

export const windowFunction: TableFunction = {
  name: 'window',
  fieldParams: ['partitionBy'],
  kernel: 'window',
  doc: {
    summary: 'Adds to each row what neighbouring rows of its partition hold, or its place among them.',
    parameters: [
      { name: 'lag, lead', text: 'the value of a row before or behind' },
      { name: 'row_number, rank, dense_rank', text: 'the place, ties counted in three ways' },
      { name: 'partition by', text: 'fields of a partition' },
      { name: 'order by', text: 'order inside a partition; that of the rows unless given' },
    ],
    examples: [
      { query: '* | window partition by (pod) order by (_time) lag(status) as before, row_number() as n | limit 3' },
    ],
  },
}

export const compileWindow: CompileTable<WindowParams> = (params, { meter }) =>
  new KeptRows(meter, (rows) => windowed(rows, params, meter))
