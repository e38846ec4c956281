import { newTenant } from '../../../../src/server/backends/tenant.ts'
import { serverContext } from '../../../../src/server/runtime/assemble.ts'
import { createMemoryDocumentStore } from '../../../../src/resources/index.ts'
import {
  KeyRing,
  createApp,
  createDeleter,
  defaultServerLimits,
  type App,
  type ServerContext,
} from '../../../../src/server/index.ts'
import { KEY, SALT, key, type Logged } from '../../harness/harness.ts'
import { answersByWorker, loopback } from '../../harness/loopback.ts'
import { wholeAlerting } from './whole-alerting.ts'

export const READER = 'key-of-somebody-who-only-reads'

/** Returns the server with every service, as in production, but in memory. */
export function wholeApp(logged: Logged[], overrides: Partial<ServerContext> = {}): App {
  const now = (): bigint => BigInt(Date.now()) * 1_000_000n
  const tenant = newTenant({ nowMs: () => performance.now(), nowNs: now })
  const tenants = new Map([['default', tenant]])
  const documents = createMemoryDocumentStore(now)
  const context = serverContext({
    tenants,
    keys: new KeyRing(SALT, [key(KEY), key(READER, { roles: new Set(['read']) })]),
    log: {
      info: (fields, message) => logged.push({ level: 'info', fields, message }),
      error: (fields, message) => logged.push({ level: 'error', fields, message }),
    },
    isReady: () => true,
    openTo: 'everyone',
    batches: undefined,
    documents,
    alerting: wholeAlerting(documents),
    deleter: createDeleter({
      targets: tenants,
      engineOver: () => tenant.engine,
      persister: undefined,
      onChange: () => undefined,
    }),
  })
  const made = { ...context, limits: { ...defaultServerLimits, ...overrides.limits }, ...overrides }
  return createApp({ ...made, workers: answersByWorker ? loopback(made) : undefined }, { version: '0' })
}
