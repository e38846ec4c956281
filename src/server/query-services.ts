import type { Parallelism } from '../backends/columnar/index.ts'
import { SluiceError, nowhere } from '../base/index.ts'
import { engineDiagnostic } from '../engine/index.ts'
import { SampleStore } from '../store/index.ts'
import type { ServerContext } from './context.ts'
import { createFieldService } from './fields/field-service.ts'
import type { ServerLimits } from './limits.ts'
import { createClusterList } from './lists/cluster-list.ts'
import { createEventList } from './lists/event-list.ts'
import { createWorkloadList } from './lists/workload-list.ts'
import { defaultRateWindowSeconds } from './lists/workload-rates.ts'
import { createMetricService } from './metric-service.ts'
import { createMetricReadService } from './prometheus/read-service.ts'
import { createSearchService, tableOfDomain } from './search-service.ts'
import { searchDomains, type SearchDomain } from './service-interfaces.ts'
import type { Served } from './tenant.ts'

/** Backends by id; at least one. */
export type Tenants = ReadonlyMap<string, Served>

/** The kinds of rows that some tenant has a table of. */
export function searchedDomains(tenants: Tenants): ReadonlySet<SearchDomain> {
  const has = (table: string): boolean => [...tenants.values()].some(({ engine }) => engine.catalog.tables.has(table))
  return new Set(searchDomains.filter((domain) => has(tableOfDomain[domain])))
}

/** The backend of an id, or the first where none is named. Throws `engine/unknown-backend`. */
export function tenantFinder(tenants: Tenants): (backend: string | undefined) => Served {
  return (backend) => {
    const found = backend === undefined ? tenants.values().next().value : tenants.get(backend)
    if (found !== undefined) return found
    const data = { name: backend ?? '', known: [...tenants.keys()] }
    throw new SluiceError([engineDiagnostic('unknown-backend', data, nowhere)])
  }
}

/** What answers queries, over the tenants' engines; `parallelism` is for long metric queries. A service that no tenant has the data for is left out, and its routes with it. */
export function queryServices(
  tenants: Tenants,
  limits: ServerLimits,
  parallelism?: Parallelism,
): Pick<
  ServerContext,
  'domains' | 'search' | 'metrics' | 'metricRead' | 'eventList' | 'clusters' | 'workloads' | 'fields'
> {
  const tenantOf = tenantFinder(tenants)
  const { engine } = tenantOf(undefined)
  const domains = searchedDomains(tenants)
  const timeoutMs = Math.min(limits.queryMs, engine.limits.timeoutMs)
  const memoryBytes = limits.queryBytes ?? engine.limits.memoryBytes
  const search = createSearchService((backend) => tenantOf(backend).engine, { timeoutMs, memoryBytes })
  const noSamples = new SampleStore()
  const hasSamples = [...tenants.values()].some(({ samples }) => samples !== undefined)
  const reading = {
    sourceOf: (backend: string | undefined) => tenantOf(backend).samples ?? noSamples,
    limits: { ...engine.limits, timeoutMs, memoryBytes },
    parallelism,
  }
  return {
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
  }
}
