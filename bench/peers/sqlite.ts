import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { sqliteBackend } from '../../src/backends/sql/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { openSqlite, sqliteTelemetry } from '../../src/store/sqlite/index.ts'
import { storedRows, type DatasetOptions } from '../datasets.ts'
import { prepareOwn } from './own.ts'
import type { Peer } from './peer.ts'

/** Our SQLite backend in this process. */
export async function sqlitePeer(dataset: DatasetOptions): Promise<Peer> {
  const connection = await openSqlite(':memory:')
  const telemetry = sqliteTelemetry(connection, standardCatalog)
  const backend = sqliteBackend(telemetry, standardFunctions, { mode: 'in-process' })
  const upper = columnarBackend(createMemoryStore(standardCatalog), standardFunctions)
  const engine = createEngine({ backends: [backend], upper, lint: 'off' })
  return {
    name: 'sqlite',
    load: async () => {
      const start = performance.now()
      telemetry.load('logs', storedRows(dataset))
      return (performance.now() - start) / 1000
    },
    prepare: async (bound) => prepareOwn(engine, bound),
    close: async () => {
      await backend.close()
      connection.close()
    },
  }
}
