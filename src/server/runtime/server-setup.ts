import { SluiceError, nowhere } from '../../base/index.ts'
import { createEngine, type Clock, type Engine } from '../../engine/index.ts'
import { SampleStore, type SampleSource } from '../../store/index.ts'
import { SharedBlocks } from '../../store/segments/index.ts'
import type { PackingOptions } from '../../store/packed-samples/index.ts'
import type { KeySource } from '../auth/keys.ts'
import { keysOf } from '../auth/server-keys.ts'
import type { ServedOpener } from '../backends/served-opener.ts'
import { defaultBackendId, isTenant, newTarget, newTenant, type Served, type Tenant } from '../backends/tenant.ts'
import type { Keeping } from '../data-folder/table-persister.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'
import { LiveCertificate } from '../listeners/tls/live-certificate.ts'
import { searchedDomains } from '../routes/definition/query-services.ts'
import type { Logger } from '../settings/environment.ts'
import { limitsWithin, type ServerLimits } from '../settings/limits.ts'
import { checkOrigins } from '../app/cors.ts'
import { divideMemory, type MemoryBudget } from '../admission/memory-shares.ts'
import { checkServerOptions, type ServedData, type ServerOptions, type ServerSettings } from './server-options.ts'

/** Fraction of the block cache for the thread that stores data. */
const STORING_PART = 1 / 8

const silent: Logger = { info: () => undefined, error: () => undefined }

/** Validated options of a server, with defaults. */
export interface ServerSetup {
  readonly settings: ServerSettings
  readonly log: Logger
  readonly keys: KeySource
  /** Warnings about weak keys. */
  readonly warnings: readonly string[]
  readonly limits: ServerLimits
  /** Backends by id; at least one. */
  readonly tenants: ReadonlyMap<string, Served>
  /** Backends with a store. */
  readonly stores: ReadonlyMap<string, Tenant>
  readonly openers: ReadonlyMap<string, ServedOpener>
  /** Engine of the first backend. */
  readonly engine: Engine
  readonly nowNs: () => bigint
  /** True if the server itself has created all stores, engines and tables. */
  readonly isOurs: boolean
  readonly keeping: Keeping
  /** Requested number of query workers; `budget` may allow fewer. */
  readonly workers: number
  readonly budget: MemoryBudget
  /** Block cache shared by all query workers; undefined without files or with a single thread. */
  readonly sharedBlocks: SharedBlocks | undefined
  /** Certificate of HTTP and gRPC ports; undefined without TLS. */
  readonly certificate: LiveCertificate | undefined
}

/** Returns a sample source for metric queries. */
function sourceOf(samples: SampleSource | SampleStore | undefined): SampleSource | undefined {
  return samples instanceof SampleStore ? samples.reader : samples
}

/** Creates a backend for the given data. `packing` applies to samples in memory without files. */
function servedOf(
  data: ServedData,
  clock: Clock | undefined,
  limitSeries: number,
  packing: PackingOptions | undefined,
): Served {
  if ('engine' in data) return { engine: data.engine, sampleSource: sourceOf(data.samples) }
  if ('tables' in data)
    return { engine: createEngine({ tables: data.tables, clock }), sampleSource: sourceOf(data.samples) }
  const { store, samples, metricCatalog } = data
  const fresh = newTarget(limitSeries, packing)
  return newTenant(clock, {
    store: store ?? fresh.store,
    samples: samples ?? fresh.samples,
    metricCatalog: metricCatalog ?? fresh.metricCatalog,
    limitSeries,
    // Given samples are not packed, because their owner may add to them at any time.
    packer: samples === undefined ? fresh.packer : undefined,
  })
}

/** True if the server itself has created all of the data. */
function isMadeHere(data: ServedData): boolean {
  return ['tables', 'engine', 'store', 'samples', 'metricCatalog'].every((member) => !(member in data))
}

/** Throws a SluiceError for unusable keys, backends or files of `tls`. */
export function serverSetup(options: ServerOptions): ServerSetup {
  checkServerOptions(options)
  const { data, clock, logger = silent, cors = [] } = options
  checkOrigins(cors)
  const { source: keys, warnings } = keysOf(options.keys, logger)
  const { workers = 0, memoryBytes, storeBytes } = options
  const budget = divideMemory({ memoryBytes, storeBytes, hasFiles: data !== undefined, workers })
  if (budget.workers < workers)
    logger.info({ workers: budget.workers, asked: workers }, 'the memory is enough for fewer query workers')
  const limits = limitsWithin(
    { ...budget.shares, queryBytes: workers === 0 ? undefined : budget.queryBytes },
    options.limits,
  )
  const served = 'backends' in options ? Object.entries(options.backends) : [[defaultBackendId, options] as const]
  // The thread that stores data reads little. All query threads share the blocks that each of them reads.
  const hasShared = workers > 0 && data !== undefined
  const cacheBytes = Math.floor(budget.shares.cache * (hasShared ? STORING_PART : 1))
  const packing = data === undefined ? { cacheBytes } : undefined
  const tenants = new Map(served.map(([id, each]) => [id, servedOf(each, clock, limits.series, packing)]))
  const [first] = tenants.values()
  const servesMetrics = [...tenants.values()].some(({ sampleSource }) => sampleSource !== undefined)
  if (first === undefined || (searchedDomains(tenants).size === 0 && !servesMetrics))
    throw new SluiceError([setupDiagnostic('nothing-served', {}, nowhere)])
  const stores = new Map([...tenants].filter((entry): entry is [string, Tenant] => isTenant(entry[1])))
  const openers = new Map(
    served.flatMap(([id, each]) => ('opener' in each && each.opener !== undefined ? [[id, each.opener] as const] : [])),
  )
  if (workers > 0 && stores.size + openers.size < tenants.size)
    throw new SluiceError([setupDiagnostic('not-shared', {}, nowhere)])
  const { engine } = first
  const isOurs = served.every(([, each]) => isMadeHere(each))
  return {
    settings: options,
    log: logger,
    keys,
    warnings,
    limits,
    tenants,
    stores,
    openers,
    engine,
    nowNs: () => engine.clock.nowNs(),
    isOurs,
    keeping: {
      cacheBytes,
      retention: options.retention,
      logBytes: options.logBytes,
      diskReserveBytes: options.diskReserveBytes,
      storeBytes: isOurs ? budget.shares.store : undefined,
    },
    workers,
    budget,
    sharedBlocks: hasShared ? new SharedBlocks(budget.shares.cache - cacheBytes) : undefined,
    certificate: options.tls && new LiveCertificate(options.tls, logger),
  }
}
