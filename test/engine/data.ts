import { present } from '../../src/base/index.ts'
import { rowsBackend } from '../../src/backends/rows/index.ts'
import { sqliteBackend, type SqliteBackend } from '../../src/backends/sql/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import type { Backend } from '../../src/backends/index.ts'
import { Instant, rowOf, type MutableRow, type StoredRow, type Value } from '../../src/data/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { openSqlite, sqliteTelemetry } from '../../src/store/sqlite/index.ts'

/** 2026-01-01T00:00:00Z */
export const startNs = 1_767_225_600_000_000_000n
export const minuteNs = 60_000_000_000n

export function storedRow(sequence: number, timeNs: bigint, fields: Readonly<Record<string, Value>>): StoredRow {
  const row: MutableRow = rowOf([['_time', new Instant(timeNs)]])
  for (const [name, value] of Object.entries(fields)) row.set(name, value)
  return { timeNs, sequence, row }
}

const contents = [
  'connection refused',
  'connection reset by peer',
  'GET /pay 200',
  'timeout after 5s',
  'Timeout: retry 4',
  '',
]

/** Returns few rows of mixed types with many ties: equal times, missing fields, numbers as strings. */
export function mixedRows(count: number, seed = 1): readonly StoredRow[] {
  let state = seed
  const random = (n: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % n
  }
  const pick = <T>(...values: readonly T[]): T => present(values[random(values.length)])
  return Array.from({ length: count }, (_, i) => {
    const fields: Record<string, Value> = { content: pick(...contents) }
    if (random(5) > 0) fields['level'] = pick('error', 'warn', 'Error', 'info', '')
    if (random(4) > 0) fields['pod'] = `p${random(4)}`
    if (random(3) > 0) fields['status'] = pick(200, 404, 500, 503)
    if (random(3) > 0) fields['duration_ms'] = pick(1, 1.5, 20, 300.25, 0)
    if (random(2) > 0) fields['a'] = pick<Value>('x', 'y', '1', '1.0', 1, 2, true, 'X')
    if (random(3) === 0) fields['kube.node'] = pick('n1', 'n2')
    return storedRow(i, startNs + BigInt(random(20)) * minuteNs, fields)
  })
}

/** Rows of a second table next to the logs. */
const spanRows = ['p1', 'p2', 'p2', 'p9'].map((pod, i) =>
  storedRow(i, startNs + BigInt(i) * minuteNs, { pod, kind: i === 2 ? 'Client' : 'Server', duration_seconds: i / 4 }),
)

export function rowsOver(rows: readonly StoredRow[], functions = standardFunctions): Backend {
  const tables = new Map([
    ['logs', rows],
    ['spans', spanRows],
  ])
  return rowsBackend(tables, functions)
}

export function columnarOver(rows: readonly StoredRow[], functions = standardFunctions): Backend {
  const store = createMemoryStore(standardCatalog)
  store.table('logs').writer.appendRows(rows)
  store.table('spans').writer.appendRows(spanRows)
  return columnarBackend(store, functions)
}

export async function sqliteOver(rows: readonly StoredRow[], functions = standardFunctions): Promise<SqliteBackend> {
  const telemetry = sqliteTelemetry(await openSqlite(':memory:'), standardCatalog)
  telemetry.append('logs', rows)
  telemetry.append('spans', spanRows)
  return sqliteBackend(telemetry, functions, { mode: 'in-process' })
}
