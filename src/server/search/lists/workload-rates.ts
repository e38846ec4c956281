import type { SearchService } from '../service-interfaces.ts'
import type { Caller } from '../../auth/caller.ts'
import { readRows } from './read-rows.ts'
import { recordOf, textOf, type JsonRecord } from './record.ts'

export interface RateOptions {
  readonly nowNs: () => bigint
  /** Time window of rates and latencies, seconds. */
  readonly windowSeconds: number
}

export const defaultRateWindowSeconds = 900

/** Query for the calls that a workload receives. Calls that it makes count at the workload that receives them. */
const QUERY =
  'kind:in(server, consumer) | stats by (cluster, namespace, workload) count() as calls, ' +
  'count() if (status:error) as errors, quantile(0.5, duration_seconds) as p50, ' +
  'quantile(0.95, duration_seconds) as p95, quantile(0.99, duration_seconds) as p99'

const KEY = ['cluster', 'namespace', 'workload'] as const

function keyOf(record: JsonRecord): string {
  return JSON.stringify(KEY.map((name) => textOf(record.get(name))))
}

/** Sets `rps`, `errorRate` and latencies of workloads whose records lack them, from visible spans. */
export async function addRates(
  workloads: readonly JsonRecord[],
  search: SearchService,
  options: RateOptions,
  caller: Caller,
): Promise<void> {
  if (workloads.every((workload) => workload.has('rps'))) return
  const endNs = options.nowNs()
  const answer = await search.search({
    ...caller,
    domain: 'traces',
    range: { startNs: endNs - BigInt(options.windowSeconds) * 1_000_000_000n, endNs: endNs + 1n },
    query: QUERY,
    filters: undefined,
    sources: undefined,
    pipeline: undefined,
    dialect: 'native',
    readsText: () => {},
  })
  const rates = new Map((await readRows(answer)).map(recordOf).map((record) => [keyOf(record), record]))
  for (const workload of workloads) {
    const found = rates.get(keyOf(workload))
    if (found === undefined || workload.has('rps')) continue
    const calls = Number(found.get('calls'))
    workload.set('rps', calls / options.windowSeconds)
    workload.set('errorRate', Number(found.get('errors')) / calls)
    for (const name of ['p50', 'p95', 'p99']) {
      const value = found.get(name)
      if (typeof value === 'number') workload.set(name, value)
    }
  }
}
