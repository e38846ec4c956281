import { demoLogs, demoSamples } from '../../ingest/demo/index.ts'
import { storedRow } from '../../store/index.ts'
import type { Tenant } from './tenant.ts'

const DEMO_ROWS = 40_000
const DEMO_HOURS = 6

/** Fills a tenant with the demo incident, ending now. */
export function loadDemo(tenant: Tenant, seed: number, nowNs: bigint): void {
  const logs = tenant.store.table('logs')
  const records = demoLogs({ seed, nowNs, rows: DEMO_ROWS, hours: DEMO_HOURS })
  logs.appendRows(
    records.map((record) => storedRow(logs.definition, record, nowNs, 0)).map(({ timeNs, row }) => ({ timeNs, row })),
  )
  logs.seal()
  demoSamples({ store: tenant.samples, catalog: tenant.metricCatalog, seed, nowNs, hours: DEMO_HOURS })
}
