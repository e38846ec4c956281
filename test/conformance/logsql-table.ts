import { collect } from '../../src/base/index.ts'
import { rowsBackend } from '../../src/backends/rows/index.ts'
import { field, Instant, toText, type Row, type StoredRow, type Value } from '../../src/data/index.ts'
import { createEngine, type Engine, readRows } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { textOf } from './outcome.ts'
import type { Catalog, TableDefinition } from '../../src/plan/index.ts'

/** Fields of one row of a vector: strings, or values that `textOf` converts to strings. */
export type VectorRow = Readonly<Record<string, unknown>>

const TABLE = 'vectors'

function tableOf(rows: readonly Row[], options: TableOptions): TableDefinition {
  const names = options.isSorted === true ? new Set<string>() : new Set(rows.flatMap((row) => [...row.keys()]))
  return {
    name: TABLE,
    schema: { fields: [...names].map((name) => field(name, 'any', 'dynamic')), isOpen: true },
    timeField: '_time',
    textField: '_msg',
    aliases: new Map(),
    streamFields: options.streamFields ?? [],
    domain: 'logs',
  }
}

export interface TableOptions {
  readonly streamFields?: readonly string[]
  readonly nowNs?: bigint
  /** True if fields are sorted by name. Otherwise they keep the order of their first appearance. */
  readonly isSorted?: boolean
}

/** Returns an engine of the `logsql` dialect over rows. Rows whose `_time` is not an instant keep their order. */
export function engineOver(rows: readonly Row[], options: TableOptions = {}): Engine {
  const table = tableOf(rows, options)
  const catalog: Catalog = { tables: new Map([[TABLE, table]]), defaultTable: TABLE }
  const stored = rows.map((row, i): StoredRow => {
    const time = row.get('_time')
    return { timeNs: time instanceof Instant ? time.ns : BigInt(rows.length - i), sequence: i, row }
  })
  const backend = rowsBackend(new Map([[TABLE, stored]]), standardFunctions)
  const nowNs = options.nowNs ?? 0n
  return createEngine({ backends: [backend], catalog, clock: { nowMs: () => performance.now(), nowNs: () => nowNs } })
}

export function rowOfTexts(row: VectorRow): Row {
  return new Map<string, Value>(Object.entries(row).map(([name, value]) => [name, textOf(value)]))
}

/** Runs a query and returns all rows of its answer. */
export async function answer(engine: Engine, query: string): Promise<readonly Row[]> {
  return collect(readRows(engine.query(query, { dialect: 'logsql', lint: 'off' }).batches()))
}

/**
 * Returns a string that is equal for equal rows: fields sorted by name, without empty ones, which answers in this
 * dialect omit.
 */
export function rowKey(row: Iterable<readonly [string, Value]>): string {
  const fields = [...row].map(([name, value]) => [name, toText(value)] as const).filter(([, text]) => text !== '')
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Compares two answers as multisets of rows, or as sequences with `isOrdered`. Returns a description of the difference;
 * `undefined` if there is none.
 */
export function sameAnswer(
  actual: readonly Row[],
  expected: readonly VectorRow[],
  isOrdered: boolean,
): string | undefined {
  const left = actual.map(rowKey)
  const right = expected.map((row) => rowKey(rowOfTexts(row)))
  if (!isOrdered) {
    left.sort()
    right.sort()
  }
  return JSON.stringify(left) === JSON.stringify(right) ? undefined : `gives ${left.join(' ')}, not ${right.join(' ')}`
}
