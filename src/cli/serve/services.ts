import { randomBytes } from 'node:crypto'
import { SluiceError, nowhere } from '../../base/index.ts'
import { defaultEngineLimits, engineDiagnostic } from '../../engine/index.ts'
import {
  createClusterList,
  createEventList,
  createMetricReadService,
  createMetricService,
  createSearchService,
  createWorkloadList,
  defaultServerLimits,
  type KeyRing,
  type Logger,
  type ServerContext,
} from '../../server/index.ts'
import type { Tenant } from './tenant.ts'

export const defaultBackendId = 'default'

export interface ServiceOptions {
  readonly tenants: ReadonlyMap<string, Tenant>
  readonly keys: KeyRing
  readonly log: Logger
  readonly isReady: () => boolean
}

/** Everything the HTTP shim works with, over the tenants' engines. */
export function serverContext({ tenants, keys, log, isReady }: ServiceOptions): ServerContext {
  const tenantOf = (backend: string | undefined): Tenant => {
    const found = tenants.get(backend ?? defaultBackendId)
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
  return {
    clock: { nowMs: () => Date.now() },
    randomBytes: (count) => new Uint8Array(randomBytes(count)),
    log,
    limits: defaultServerLimits,
    keys,
    backends: [...tenants.keys()],
    access: undefined,
    isReady,
    search,
    metrics,
    metricRead,
    eventList: createEventList(search, defaultServerLimits.answerRows),
    clusters: createClusterList(search),
    workloads: createWorkloadList(search),
  }
}
