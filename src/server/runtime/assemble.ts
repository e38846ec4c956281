import { randomFillSync } from 'node:crypto'
import { PAGE_BYTES } from '../../base/index.ts'
import { makeUuid, type DocumentStore } from '../../resources/index.ts'
import type { DurableStore } from '../../store/durable/index.ts'
import type { AlertingAccess, QueryWorkers, ServerContext } from '../routes/definition/context.ts'
import type { OpenTo } from '../auth/auth-context.ts'
import type { BuiltFiles } from '../console/built-files.ts'
import type { LoadAgentEndpoint } from '../settings/agents.ts'
import type { Logger, SlowQueryLog } from '../settings/environment.ts'
import { auditedDeletions } from '../deletion/audited.ts'
import type { DeletionService } from '../deletion/deleter.ts'
import { fault } from '../errors/http-fault.ts'
import type { IngestTarget } from '../ingest/decoder.ts'
import {
  createIngestService,
  type BatchWatch,
  type IngestService,
  type IngesterOptions,
} from '../ingest/ingest-service.ts'
import type { KeySource } from '../auth/keys.ts'
import { Sessions } from '../auth/sessions.ts'
import { defaultServerLimits, type ServerLimits } from '../settings/limits.ts'
import { queryServices, tenantFinder, type Tenants } from '../routes/definition/query-services.ts'
import { createResources } from '../resources/create.ts'
import { isTenant } from '../backends/tenant.ts'
import type { BlockCounts } from '../../workers/index.ts'

export interface ServiceOptions {
  readonly tenants: Tenants
  readonly keys: KeySource
  readonly log: Logger
  readonly isReady: () => boolean
  readonly isDamaged?: () => boolean
  readonly readiness?: (() => Promise<void>) | undefined
  readonly openTo?: OpenTo | undefined
  /** Additional host names that are accepted in requests without a key to a loopback address. */
  readonly allowHosts?: readonly string[] | undefined
  readonly requirePolicy?: boolean | undefined
  /** Stores batches durably; without this store, data lives as long as the process. */
  readonly batches: DurableStore | undefined
  /** Notified of each batch while its rows are stored. */
  readonly watch?: BatchWatch | undefined
  /** Throws if there is not enough memory for a payload. */
  readonly makeRoom?: IngesterOptions['makeRoom']
  /** Stored monitors, silences and policies. */
  readonly documents: DocumentStore
  readonly limits?: Partial<ServerLimits> | undefined
  /** Counts the answer blocks of all threads. Default: of this thread only. */
  readonly answers?: BlockCounts | undefined
  /** Without workers, queries run in this thread. */
  readonly workers?: QueryWorkers | undefined
  /**
   * Called at the start of a query that may read files in this thread. The returned function must be called at the end
   * of the query.
   */
  readonly beginRead?: (() => () => void) | undefined
  /** Stores received data. Default: in this thread, if a backend has a store. */
  readonly ingest?: IngestService | undefined
  /** Evaluates monitors; without this service monitors are only stored. */
  readonly alerting?: AlertingAccess | undefined
  /** Receives queries that took longer than a threshold. Default: none. */
  readonly slowQueries?: SlowQueryLog | undefined
  /** Origins whose pages may read answers (CORS). Default: none. */
  readonly cors?: readonly string[] | undefined
  readonly mcp?: LoadAgentEndpoint | undefined
  /** Files of the console. Default: no console. */
  readonly console?: BuiltFiles | undefined
  /** Service that deletes rows. Default: rows cannot be deleted. */
  readonly deleter?: DeletionService | undefined
}

/**
 * Returns a function that returns random bytes. The bytes are requested from the system in bulk, since a request needs
 * few and a system call is slow.
 */
function randomSource(): (count: number) => Uint8Array {
  const pool = new Uint8Array(PAGE_BYTES)
  let next = PAGE_BYTES
  return (count) => {
    if (count > PAGE_BYTES) return randomFillSync(new Uint8Array(count))
    if (next + count > PAGE_BYTES) {
      randomFillSync(pool)
      next = 0
    }
    const bytes = pool.slice(next, next + count)
    pool.fill(0, next, next + count)
    next += count
    return bytes
  }
}

/**
 * Returns the context of all routes over the engines of backends. Services without data are left out, and so are their
 * routes.
 */
export function serverContext(options: ServiceOptions): ServerContext {
  const { tenants, keys, log, isReady, isDamaged, batches, documents } = options
  const tenantOf = tenantFinder(tenants)
  const targetOf = (backend: string | undefined): IngestTarget => {
    const tenant = tenantOf(backend)
    if (isTenant(tenant)) return tenant
    throw fault('not-found', { what: 'place for new data' })
  }
  const { engine } = tenantOf(undefined)
  const limits = { ...defaultServerLimits, ...options.limits }
  const random = randomSource()
  const clock = { nowMs: () => Date.now() }
  const keyUses = new Map<string, number>()
  return {
    clock,
    randomBytes: random,
    log,
    limits,
    answers: options.answers,
    keys,
    keyUses,
    noteUse: ({ hash }) => keyUses.set(hash, clock.nowMs()),
    sessions: new Sessions(keys, clock, random),
    backends: [...tenants.keys()],
    ...createResources({
      store: documents,
      engineOf: (backend) => tenantOf(backend).engine,
      randomBytes: random,
      requirePolicy: options.requirePolicy === true,
    }),
    isReady,
    isDamaged,
    readiness: options.readiness,
    openTo: options.openTo,
    allowHosts: options.allowHosts,
    ...queryServices(tenants, limits),
    workers: options.workers,
    beginRead: options.beginRead,
    alerting: options.alerting,
    console: options.console,
    cors: options.cors,
    mcp: options.mcp,
    slowQueries: options.slowQueries,
    deletions: options.deleter && auditedDeletions(options.deleter, documents, () => makeUuid(random)),
    ingest:
      options.ingest ??
      ([...tenants.values()].some(isTenant)
        ? createIngestService({
            targetOf,
            log: batches,
            watch: options.watch,
            makeRoom: options.makeRoom,
            limits,
            nowNs: () => engine.clock.nowNs(),
          })
        : undefined),
  }
}
