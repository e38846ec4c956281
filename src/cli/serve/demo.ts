import type { MutableRow } from '../../data/index.ts'
import {
  demoClusterStates,
  demoEvents,
  demoLogs,
  demoSamples,
  demoSpans,
  demoWorkloadStates,
} from '../../ingest/demo/index.ts'
import { storedRow } from '../../store/index.ts'
import type { Tenant } from './tenant.ts'

const DEMO_LOGS = 40_000
const DEMO_REQUESTS = 6_000
const DEMO_HOURS = 6

function fill(tenant: Tenant, name: string, records: readonly MutableRow[], nowNs: bigint): void {
  const table = tenant.store.table(name)
  table.appendRows(
    records.map((record) => storedRow(table.definition, record, nowNs, 0)).map(({ timeNs, row }) => ({ timeNs, row })),
  )
  table.seal()
}

/** Fills a tenant with the demo incident in every kind of data, ending now. */
export function loadDemo(tenant: Tenant, seed: number, nowNs: bigint): void {
  const story = { seed, nowNs, hours: DEMO_HOURS }
  fill(tenant, 'logs', demoLogs({ ...story, rows: DEMO_LOGS }), nowNs)
  fill(tenant, 'events', demoEvents(story), nowNs)
  fill(tenant, 'spans', demoSpans({ ...story, requests: DEMO_REQUESTS }), nowNs)
  fill(tenant, 'workloads', demoWorkloadStates(story), nowNs)
  fill(tenant, 'clusters', demoClusterStates(story), nowNs)
  demoSamples({ ...story, store: tenant.samples, catalog: tenant.metricCatalog })
}
