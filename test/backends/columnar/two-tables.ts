import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import { Instant, type StoredRow, type Value } from '../../../src/data/index.ts'
import { createEngine, type Engine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

/** The fields of a row except its time. */
export type Fields = Readonly<Record<string, Value>>

function rowsOf(all: readonly Fields[]): StoredRow[] {
  return all.map((fields, i) => {
    const timeNs = BigInt(1000 + i)
    return {
      timeNs,
      sequence: i,
      row: new Map<string, Value>([['_time', new Instant(timeNs)], ...Object.entries(fields)]),
    }
  })
}

/** Returns engines over the same rows: columnar ones with several segments, and the row model. */
export function enginesOf(
  logs: readonly Fields[],
  spans: readonly Fields[],
): readonly [columnar: Engine, model: Engine] {
  const store = createMemoryStore(standardCatalog)
  const rows = { logs: rowsOf(logs), spans: rowsOf(spans) }
  for (const side of ['logs', 'spans'] as const) {
    const table = store.table(side)
    const half = rows[side].length >> 1
    table.writer.appendRows(rows[side].slice(0, half))
    table.seal()
    table.writer.appendRows(rows[side].slice(half))
    table.seal()
  }
  const model = rowsBackend(new Map(Object.entries(rows)), standardFunctions)
  return [columnarBackend(store, standardFunctions), model].map((backend) =>
    createEngine({ backends: [backend], lint: 'off' }),
  ) as [Engine, Engine]
}

/** Runs a query over the logs table and returns its rows as lines. */
export async function linesOf(engine: Engine, query: string): Promise<readonly string[]> {
  return rowLines(await engine.query(query, { table: 'logs' }).toArray())
}

export function rowLines(rows: readonly object[]): readonly string[] {
  return rows.map((row) =>
    JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
  )
}
