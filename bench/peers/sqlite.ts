import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { sqliteBackend } from '../../src/backends/sql/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { openSqlite, sqliteTelemetry } from '../../src/store/sqlite/index.ts'
import { readBodies, storedRows } from '../datasets.ts'
import { prepareAnswer } from './own.ts'
import { askHere, type MakePeer } from './peer.ts'
import { residentBytes } from './process-memory.ts'

/** Our SQLite backend in this process. */
export const sqlitePeer: MakePeer = async ({ rows, seed, bodies }) => {
  const connection = await openSqlite(':memory:')
  const telemetry = sqliteTelemetry(connection, standardCatalog)
  const backend = sqliteBackend(telemetry, standardFunctions, { mode: 'in-process' })
  const upper = columnarBackend(createMemoryStore(standardCatalog), standardFunctions)
  const engine = createEngine({ backends: [backend], upper, lint: 'off' })
  return {
    load: async () => {
      const start = performance.now()
      telemetry.load('logs', storedRows({ rows, seed, bodies: bodies === undefined ? [] : readBodies(bodies) }))
      return (performance.now() - start) / 1000
    },
    ask: (bound) => askHere(async () => prepareAnswer(engine, bound)),
    bytes: async () => ({ residentBytes: residentBytes() }),
    close: async () => {
      await backend.close()
      connection.close()
    },
  }
}
