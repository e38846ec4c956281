import { randomBytes } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { present } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import {
  KeyRing,
  createApp,
  createResources,
  defaultServerLimits,
  listen,
  openDataFolder,
} from '../../../src/server/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

/**
 * Program: an HTTP server with only monitors, silences and policies over a data folder, so that it starts quickly after
 * a kill. It compacts its log again and again. It prints its port on standard output and is meant to be killed.
 */
const [path, key] = process.argv.slice(2)
const nowNs = (): bigint => BigInt(Date.now()) * 1_000_000n
const random = (count: number): Uint8Array => new Uint8Array(randomBytes(count))
const { documents: store } = await openDataFolder(present(path), nowNs, { compactBytes: 20_000 })
const engine = createEngine({
  backends: [columnarBackend(createMemoryStore(standardCatalog), standardFunctions)],
  clock: { nowMs: () => performance.now(), nowNs },
})
const app = createApp(
  {
    clock: { nowMs: () => Date.now() },
    randomBytes: random,
    log: { info: () => {}, error: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`) },
    limits: defaultServerLimits,
    keys: KeyRing.of(present(key), 'salt of the kill loop'),
    backends: [],
    nowNs,
    isReady: () => true,
    search: undefined,
    metrics: undefined,
    eventList: undefined,
    clusters: undefined,
    workloads: undefined,
    ...createResources({ store, engineOf: () => engine, randomBytes: random }),
  },
  { version: '0.0.0' },
)
// A killed process cannot save its compile cache at exit.
flushCompileCache()
const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
process.stdout.write(`${port}\n`)
