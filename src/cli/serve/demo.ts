import type { MutableRow } from '../../data/index.ts'
import {
  demoClusterStates,
  demoEvents,
  demoLogs,
  demoSamples,
  demoSpans,
  demoWorkloadStates,
} from '../../ingest/demo/index.ts'
import type { IngestTarget } from '../../server/index.ts'
import { storedRow } from '../../store/index.ts'

const DEMO_LOGS = 40_000
const DEMO_REQUESTS = 6_000
const DEMO_HOURS = 6

function fill(target: IngestTarget, name: string, records: readonly MutableRow[], nowNs: bigint): void {
  const table = target.store.table(name)
  table.writer.appendRows(
    records.map((record) => storedRow(table.definition, record, { nowNs })).map(({ timeNs, row }) => ({ timeNs, row })),
  )
  table.seal()
}

/** Loads the demo incident into a backend, with data of every kind that end now. */
export function loadDemo(target: IngestTarget, seed: number, nowNs: bigint): void {
  const story = { seed, nowNs, hours: DEMO_HOURS }
  const spans = demoSpans({ ...story, requests: DEMO_REQUESTS })
  fill(target, 'logs', demoLogs({ ...story, rows: DEMO_LOGS, spans }), nowNs)
  fill(target, 'events', demoEvents(story), nowNs)
  fill(target, 'spans', spans, nowNs)
  fill(target, 'workloads', demoWorkloadStates(story), nowNs)
  fill(target, 'clusters', demoClusterStates(story), nowNs)
  demoSamples({ ...story, store: target.samples, catalog: target.metricCatalog })
}
