import { columnarBackend } from '../../backends/columnar/index.ts'
import { sqliteBackend } from '../../backends/sql/index.ts'
import type { Backend } from '../../backends/index.ts'
import type { StoredRow } from '../../data/index.ts'
import { PlanEngine } from '../../engine/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import { createMemoryStore, standardCatalog, type OpenStored } from '../../store/index.ts'
import { putOnDisk } from '../on-disk.ts'
import { replicated } from '../replicated.ts'
import { openSqlite, sqliteTelemetry } from '../../store/sqlite/index.ts'

export type SubjectTables = ReadonlyMap<string, readonly StoredRow[]>

export const scopeBackends = ['columnar', 'sqlite'] as const
export type ScopeBackend = (typeof scopeBackends)[number]

/** Maximum number of rows of a batch. Small, so that most answers have several batches. */
export const BATCH_ROWS = 8

/** The same tables in both engines. */
export interface ScopeSubject {
  readonly engines: Readonly<Record<ScopeBackend, PlanEngine>>
  close(): Promise<void>
}

/**
 * Loads tables into both engines. With `isReplica`, the column store is read through a replica that receives the rows
 * as they arrive, as in a worker thread.
 */
export async function scopeSubject(tables: SubjectTables, isReplica: boolean): Promise<ScopeSubject> {
  const functions = standardFunctions
  const store = createMemoryStore(standardCatalog)
  const connection = await openSqlite(':memory:')
  const telemetry = sqliteTelemetry(connection, standardCatalog)
  const opens = new Map<string, OpenStored>()
  const replica = isReplica ? replicated(store, opens) : undefined
  for (const [name, rows] of tables) {
    // Seals half of the rows, so that queries read both sealed and unsealed storage.
    const cut = Math.floor(rows.length / 2)
    store.table(name).writer.appendRows(rows.slice(0, cut))
    replica?.update()
    store.table(name).seal()
    // Every second data set has its sealed rows in files.
    if (rows.length % 2 === 0) opens.set(name, putOnDisk(store.table(name)))
    store.table(name).writer.appendRows(rows.slice(cut))
    replica?.update()
    telemetry.append(name, rows)
  }
  const sqlite = sqliteBackend(telemetry, functions, { mode: 'in-process' })
  const columnar = columnarBackend(replica ?? store, functions)
  const engineOf = (backend: Backend): PlanEngine =>
    new PlanEngine({ backends: [backend], upper: columnar, limits: { batchRows: BATCH_ROWS, adviceMs: 60_000 } })
  return {
    engines: { columnar: engineOf(columnar), sqlite: engineOf(sqlite) },
    close: async () => {
      await sqlite.close()
      connection.close()
    },
  }
}
