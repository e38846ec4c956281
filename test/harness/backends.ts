import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { rowsBackend } from '../../src/backends/rows/index.ts'
import { sqliteBackend } from '../../src/backends/sql/index.ts'
import type { Backend } from '../../src/backends/index.ts'
import type { StoredRow } from '../../src/data/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { putOnDisk } from '../../src/fuzz/on-disk.ts'
import { openSqlite, sqliteTelemetry } from '../../src/store/sqlite/index.ts'

const BACKENDS = resolve(import.meta.dirname, '../../src/backends')

/** A backend that holds some rows of the logs table; `close` releases it. */
export interface OpenBackend {
  readonly backend: Backend
  close(): Promise<void>
}

export interface BackendFixture {
  readonly name: string
  open(rows: readonly StoredRow[]): Promise<OpenBackend>
}

const nothing = async (): Promise<void> => {}

const rows: BackendFixture = {
  name: 'rows',
  open: async (stored) => ({ backend: rowsBackend(new Map([['logs', stored]]), standardFunctions), close: nothing }),
}

/** Rows per segment: so few that the rows of one sheet fill several segments. The last segment stays unsealed. */
const SEGMENT_ROWS = 4

const columnar: BackendFixture = {
  name: 'columnar',
  open: async (stored) => {
    const store = createMemoryStore(standardCatalog)
    const table = store.table('logs')
    for (let start = 0; start < stored.length; start += SEGMENT_ROWS) {
      table.writer.appendRows(stored.slice(start, start + SEGMENT_ROWS))
      if (start + SEGMENT_ROWS < stored.length) table.seal()
    }
    return { backend: columnarBackend(store, standardFunctions), close: nothing }
  },
}

/** The columnar backend with its sealed rows in segment files; the rows after the last full segment stay in memory. */
const onDisk: BackendFixture = {
  name: 'on disk',
  open: async (stored) => {
    const store = createMemoryStore(standardCatalog)
    const table = store.table('logs')
    const sealedTo = stored.length - (stored.length % SEGMENT_ROWS)
    for (let start = 0; start < sealedTo; start += SEGMENT_ROWS) {
      table.writer.appendRows(stored.slice(start, start + SEGMENT_ROWS))
      table.seal()
    }
    putOnDisk(table)
    table.writer.appendRows(stored.slice(sealedTo))
    return { backend: columnarBackend(store, standardFunctions), close: nothing }
  },
}

const sqlite: BackendFixture = {
  name: 'sqlite',
  open: async (stored) => {
    const telemetry = sqliteTelemetry(await openSqlite(':memory:'), standardCatalog)
    telemetry.append('logs', stored)
    const backend = sqliteBackend(telemetry, standardFunctions, { mode: 'in-process' })
    return { backend, close: async () => backend.close() }
  },
}

/** Fixtures of all backends. The first is the row model, whose answers the other backends must reproduce. */
export const backendFixtures: readonly BackendFixture[] = [rows, columnar, onDisk, sqlite]

/** Returns the names of the folders in `src/backends` that have a `backend.ts` but no fixture. */
export function missingFixtures(): readonly string[] {
  const known: Readonly<Record<string, string>> = { rows: 'rows', columnar: 'columnar', sql: 'sqlite' }
  const opened = new Set(backendFixtures.map((fixture) => fixture.name))
  return readdirSync(BACKENDS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(BACKENDS, entry.name, 'backend.ts')))
    .map((entry) => entry.name)
    .filter((name) => !opened.has(known[name] ?? name))
}
