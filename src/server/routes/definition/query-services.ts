import type { Parallelism } from '../../../backends/columnar/index.ts'
import { SluiceError, nowhere } from '../../../base/index.ts'
import { engineDiagnostic } from '../../../engine/index.ts'
import { SampleStore } from '../../../store/index.ts'
import { createFieldService, type FieldService } from '../../search/fields/field-service.ts'
import type { ServerLimits } from '../../settings/limits.ts'
import { createClusterList } from '../../search/lists/cluster-list.ts'
import { createEventList } from '../../search/lists/event-list.ts'
import { createWorkloadList } from '../../search/lists/workload-list.ts'
import { defaultRateWindowSeconds } from '../../search/lists/workload-rates.ts'
import { createMetricService } from '../../metrics/metric-service.ts'
import { createRuleQueryService, type RuleQueryService } from '../../metrics/rule-queries.ts'
import type { MetricReadService, MetricService } from '../../metrics/metric-interfaces.ts'
import { createMetricReadService } from '../../metrics/read-service.ts'
import { createMonitorQueryService, type MonitorQueryService } from '../../resources/monitor-queries.ts'
import { createExplainService, type ExplainService } from '../../search/explain-service.ts'
import { createSearchService, tableOfDomain } from '../../search/search-service.ts'
import {
  searchDomains,
  type ClusterService,
  type EventListService,
  type SearchDomain,
  type SearchService,
  type WorkloadService,
} from '../../search/service-interfaces.ts'
import type { Served } from '../../backends/tenant.ts'

/** Backends by id; at least one. */
export type Tenants = ReadonlyMap<string, Served>

/** Returns the search domains for which a backend has a table. */
export function searchedDomains(tenants: Tenants): ReadonlySet<SearchDomain> {
  const has = (table: string): boolean => [...tenants.values()].some(({ engine }) => engine.catalog.tables.has(table))
  return new Set(searchDomains.filter((domain) => has(tableOfDomain[domain])))
}

/** Returns a function that finds a backend by id; without an id, the first one. Throws `engine/unknown-backend`. */
export function tenantFinder(tenants: Tenants): (backend: string | undefined) => Served {
  return (backend) => {
    const found = backend === undefined ? tenants.values().next().value : tenants.get(backend)
    if (found !== undefined) return found
    const data = { name: backend ?? '', known: [...tenants.keys()] }
    throw new SluiceError([engineDiagnostic('unknown-backend', data, nowhere)])
  }
}

/** Services for queries. A route whose service is missing does not exist. */
export interface QueryServices {
  /** Current time for relative times of requests, ns. */
  readonly nowNs: () => bigint
  /** Domains that can be searched. Default: all. */
  readonly domains?: ReadonlySet<SearchDomain> | undefined
  readonly search: SearchService | undefined
  readonly explain?: ExplainService | undefined
  readonly metrics: MetricService | undefined
  /** Prometheus's read API over the samples of the backends. */
  readonly metricRead?: MetricReadService | undefined
  readonly eventList: EventListService | undefined
  readonly clusters: ClusterService | undefined
  readonly workloads: WorkloadService | undefined
  readonly fields?: FieldService | undefined
  readonly monitorQueries?: MonitorQueryService | undefined
  readonly ruleQueries?: RuleQueryService | undefined
}

/**
 * Creates query services over the engines of backends; `parallelism` is for long metric queries. Services without data
 * are left out, and so are their routes.
 */
export function queryServices(tenants: Tenants, limits: ServerLimits, parallelism?: Parallelism): QueryServices {
  const tenantOf = tenantFinder(tenants)
  const { engine } = tenantOf(undefined)
  const domains = searchedDomains(tenants)
  const timeoutMs = Math.min(limits.queryMs, engine.limits.timeoutMs)
  const memoryBytes = limits.queryBytes ?? engine.limits.memoryBytes
  const search = createSearchService((backend) => tenantOf(backend).engine, { timeoutMs, memoryBytes })
  const noSamples = new SampleStore().reader
  const hasSamples = [...tenants.values()].some(({ sampleSource }) => sampleSource !== undefined)
  const readers = {
    sourceOf: (backend: string | undefined) => tenantOf(backend).sampleSource ?? noSamples,
    limits: { ...engine.limits, timeoutMs, memoryBytes },
    parallelism,
  }
  return {
    nowNs: () => engine.clock.nowNs(),
    domains,
    search,
    explain:
      domains.size > 0
        ? createExplainService((backend) => tenantOf(backend).engine, { timeoutMs, memoryBytes })
        : undefined,
    metrics: hasSamples ? createMetricService({ ...readers, engine }) : undefined,
    metricRead: hasSamples
      ? createMetricReadService({
          ...readers,
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
    ruleQueries: createRuleQueryService({ ...readers, engineOf: (backend) => tenantOf(backend).engine }),
    monitorQueries: createMonitorQueryService(
      (backend) => tenantOf(backend).engine,
      (backend) => tenantOf(backend).sampleSource ?? noSamples,
    ),
  }
}
