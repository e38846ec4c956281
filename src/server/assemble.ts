import { randomBytes } from 'node:crypto'
import { SluiceError, nowhere } from '../base/index.ts'
import { engineDiagnostic } from '../engine/index.ts'
import type { DocumentStore } from '../resources/index.ts'
import type { DurableStore } from '../store/durable/index.ts'
import { SampleStore } from '../store/index.ts'
import type { Logger, ServerContext } from './context.ts'
import { createFieldService } from './fields/field-service.ts'
import { fault } from './http-fault.ts'
import type { IngestTarget } from './ingest/decoder.ts'
import { createIngestService } from './ingest/ingest-service.ts'
import type { KeySource } from './keys.ts'
import { defaultServerLimits, type ServerLimits } from './limits.ts'
import { createClusterList } from './lists/cluster-list.ts'
import { createEventList } from './lists/event-list.ts'
import { createWorkloadList } from './lists/workload-list.ts'
import { defaultRateWindowSeconds } from './lists/workload-rates.ts'
import { createMetricService } from './metric-service.ts'
import { createMetricReadService } from './prometheus/read-service.ts'
import { createResources } from './resources/create.ts'
import { createSearchService, tableOfDomain } from './search-service.ts'
import { searchDomains, type SearchDomain } from './service-interfaces.ts'
import { isTenant, type Served } from './tenant.ts'

export interface ServiceOptions {
  /** By backend id; at least one. */
  readonly tenants: ReadonlyMap<string, Served>
  readonly keys: KeySource
  readonly log: Logger
  readonly isReady: () => boolean
  /** Keeps what is taken in; without it data lives as long as the process. */
  readonly batches: DurableStore | undefined
  /** Monitors, silences, policies. */
  readonly documents: DocumentStore
  readonly limits?: Partial<ServerLimits> | undefined
}

/** The kinds of rows that some tenant has a table of. */
export function searchedDomains(tenants: ReadonlyMap<string, Served>): ReadonlySet<SearchDomain> {
  const has = (table: string): boolean => [...tenants.values()].some(({ engine }) => engine.catalog.tables.has(table))
  return new Set(searchDomains.filter((domain) => has(tableOfDomain[domain])))
}

/**
 * Everything that the routes work with, over the tenants' engines. A service that no tenant has the data for is left out,
 * and its routes with it.
 */
export function serverContext(options: ServiceOptions): ServerContext {
  const { tenants, keys, log, isReady, batches, documents } = options
  const tenantOf = (backend: string | undefined): Served => {
    const found = backend === undefined ? tenants.values().next().value : tenants.get(backend)
    if (found !== undefined) return found
    throw new SluiceError([
      engineDiagnostic('unknown-backend', { name: backend ?? '', known: [...tenants.keys()] }, nowhere),
    ])
  }
  const targetOf = (backend: string | undefined): IngestTarget => {
    const tenant = tenantOf(backend)
    if (isTenant(tenant)) return tenant
    throw fault('not-found', { what: 'place for new data' })
  }
  const all = [...tenants.values()]
  const { engine } = tenantOf(undefined)
  const domains = searchedDomains(tenants)
  const limits = { ...defaultServerLimits, ...options.limits }
  const random = (count: number): Uint8Array => new Uint8Array(randomBytes(count))
  const search = createSearchService((backend) => tenantOf(backend).engine)
  const noSamples = new SampleStore()
  const hasSamples = all.some(({ samples }) => samples !== undefined)
  const reading = {
    sourceOf: (backend: string | undefined) => tenantOf(backend).samples ?? noSamples,
    limits: engine.limits,
  }
  return {
    clock: { nowMs: () => Date.now() },
    randomBytes: random,
    log,
    limits,
    keys,
    backends: [...tenants.keys()],
    ...createResources({ store: documents, engineOf: (backend) => tenantOf(backend).engine, randomBytes: random }),
    isReady,
    domains,
    search,
    metrics: hasSamples ? createMetricService({ ...reading, engine }) : undefined,
    metricRead: hasSamples
      ? createMetricReadService({
          ...reading,
          catalogOf: (backend) => tenantOf(backend).metricCatalog,
          clock: engine.clock,
        })
      : undefined,
    eventList: domains.has('events') ? createEventList(search, limits.answerRows) : undefined,
    clusters: domains.has('clusters') ? createClusterList(search) : undefined,
    workloads: domains.has('workloads')
      ? createWorkloadList(search, {
          nowNs: () => engine.clock.nowNs(),
          windowSeconds: defaultRateWindowSeconds,
        })
      : undefined,
    fields: domains.size > 0 ? createFieldService(search) : undefined,
    ingest: all.some(isTenant)
      ? createIngestService({ targetOf, log: batches, nowNs: () => engine.clock.nowNs() })
      : undefined,
  }
}
