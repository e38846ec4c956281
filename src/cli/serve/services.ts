import { randomBytes } from 'node:crypto'
import { SluiceError, nowhere } from '../../base/index.ts'
import { defaultEngineLimits, engineDiagnostic } from '../../engine/index.ts'
import {
  createClusterList,
  createEventList,
  createFieldService,
  createIngestService,
  createMetricReadService,
  createMetricService,
  createResources,
  createSearchService,
  createWorkloadList,
  defaultRateWindowSeconds,
  defaultServerLimits,
  type KeySource,
  type Logger,
  type ServerContext,
} from '../../server/index.ts'
import type { DocumentStore } from '../../resources/index.ts'
import type { DurableStore } from '../../store/durable/index.ts'
import type { Tenant } from './tenant.ts'

export const defaultBackendId = 'default'

export interface EditorOptions {
  readonly tenants: ReadonlyMap<string, Tenant>
  readonly keys: KeySource
  readonly log: Logger
  readonly isReady: () => boolean
  /** Keeps what is taken in; without it data lives as long as the process. */
  readonly batches: DurableStore | undefined
  /** Monitors, silences, policies. */
  readonly documents: DocumentStore
}

/** Everything the HTTP shim works with, over the tenants' engines. */
export function serverContext({ tenants, keys, log, isReady, batches, documents }: EditorOptions): ServerContext {
  const tenantOf = (backend: string | undefined): Tenant => {
    const found = backend === undefined ? tenants.values().next().value : tenants.get(backend)
    if (found !== undefined) return found
    throw new SluiceError([
      engineDiagnostic('unknown-backend', { name: backend ?? '', known: [...tenants.keys()] }, nowhere),
    ])
  }
  const search = createSearchService((backend) => tenantOf(backend).engine)
  const metrics = createMetricService({
    sourceOf: (backend) => tenantOf(backend).samples,
    engine: tenantOf(undefined).engine,
    limits: defaultEngineLimits,
  })
  const metricRead = createMetricReadService({
    sourceOf: (backend) => tenantOf(backend).samples,
    catalogOf: (backend) => tenantOf(backend).metricCatalog,
    clock: tenantOf(undefined).engine.clock,
    limits: defaultEngineLimits,
  })
  const random = (count: number): Uint8Array => new Uint8Array(randomBytes(count))
  return {
    clock: { nowMs: () => Date.now() },
    randomBytes: random,
    log,
    limits: defaultServerLimits,
    keys,
    backends: [...tenants.keys()],
    ...createResources({ store: documents, engineOf: (backend) => tenantOf(backend).engine, randomBytes: random }),
    isReady,
    search,
    metrics,
    metricRead,
    eventList: createEventList(search, defaultServerLimits.answerRows),
    clusters: createClusterList(search),
    workloads: createWorkloadList(search, {
      nowNs: () => tenantOf(undefined).engine.clock.nowNs(),
      windowSeconds: defaultRateWindowSeconds,
    }),
    fields: createFieldService(search),
    ingest: createIngestService({
      targetOf: tenantOf,
      log: batches,
      nowNs: () => tenantOf(undefined).engine.clock.nowNs(),
    }),
  }
}
