import { collect, always } from '../base/index.ts'
import { rowsBackend, type Backend } from '../backends/index.ts'
import { columnarBackend, type Tables } from '../backends/columnar/index.ts'
import { sqliteBackend } from '../backends/sql/index.ts'
import { Instant, type StoredRow } from '../data/index.ts'
import { createEngine, readRows } from '../engine/index.ts'
import { standardFunctions } from '../functions/index.ts'
import type { Catalog, RecordTableDefinition, TableDefinition } from '../plan/index.ts'
import { standardCatalog } from '../store/index.ts'
import { openSqlite, sqliteTelemetry } from '../store/sqlite/index.ts'

/** Returns all rows of a table, oldest first. Rows with equal times stay in order of ingestion. */
async function storedRows(
  tables: Tables,
  { name: table, timeField }: RecordTableDefinition,
  catalog: Catalog,
): Promise<StoredRow[]> {
  const engine = createEngine({ backends: [columnarBackend(tables, standardFunctions)], catalog, lint: 'off' })
  const rows = await collect(readRows(engine.query('*', { range: always, table }).batches()))
  return rows.toReversed().map((row, sequence) => {
    const time = row.get(timeField)
    return { timeNs: time instanceof Instant ? time.ns : 0n, sequence, row }
  })
}

function isOfRecords(definition: TableDefinition): definition is RecordTableDefinition {
  return definition.timeField !== undefined && definition.textField !== undefined
}

/** Copies the rows of tables into another backend. */
export async function copiedBackend(
  name: 'rows' | 'sqlite',
  from: Tables,
): Promise<{ readonly backend: Backend; readonly close: () => Promise<void> }> {
  const tables = new Map<string, readonly StoredRow[]>()
  const named = [...from.tables.values()].flatMap(({ definition }) =>
    isOfRecords(definition) && !standardCatalog.tables.has(definition.name)
      ? [[definition.name, definition] as const]
      : [],
  )
  const catalog = { ...standardCatalog, tables: new Map([...standardCatalog.tables, ...named]) }
  for (const definition of catalog.tables.values())
    tables.set(definition.name, await storedRows(from, definition, catalog))
  if (name === 'rows') return { backend: rowsBackend(tables, standardFunctions), close: async () => {} }
  const connection = await openSqlite(':memory:')
  const telemetry = sqliteTelemetry(connection, catalog)
  for (const [table, rows] of tables) telemetry.load(table, rows)
  const backend = sqliteBackend(telemetry, standardFunctions, { mode: 'in-process' })
  return {
    backend,
    close: async () => {
      await backend.close()
      connection.close()
    },
  }
}
