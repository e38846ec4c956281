import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { demoSamples, incident } from '../../../src/ingest/demo/index.ts'
import { MetricCatalog, SampleStore } from '../../../src/store/index.ts'
import { instant } from '../../backends/columnar/series/metrics.ts'

const nowMs = 1_767_225_600_000
const store = new SampleStore()
const catalog = new MetricCatalog()
const count = demoSamples({ store, catalog, seed: 5, nowNs: BigInt(nowMs) * 1_000_000n, hours: 2 })

/** Returns the values of an instant query some minutes before the end of the demo data. */
async function at(query: string, minutesAgo: number): Promise<readonly number[]> {
  const answer = await instant(store, query, nowMs / 1000 - minutesAgo * 60)
  return answer.map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)))
}

const calm = 80
const broken = (incident.poolExhaustedMinutesAgo + incident.rollbackMinutesAgo) / 2

test('errors and latency tell the incident', async () => {
  const errors =
    'sum(rate(http_requests_total{workload="checkout-api", code=~"5.."}[5m])) / sum(rate(http_requests_total{workload="checkout-api"}[5m]))'
  expect((await at(errors, calm))[0]).toBeLessThan(0.01)
  expect((await at(errors, broken))[0]).toBeGreaterThan(0.2)
  expect((await at(errors, 5))[0]).toBeLessThan(0.01)
  const slow =
    'histogram_quantile(0.95, sum by (le) (rate(http_request_duration_seconds_bucket{workload="payments"}[5m])))'
  expect((await at(slow, calm))[0]).toBeLessThan(0.25)
  expect((await at(slow, broken))[0]).toBeGreaterThan(2)
  const inUse = 'max(db_pool_connections_in_use{workload="payments"} / db_pool_connections_max)'
  expect([present((await at(inUse, calm))[0]) < 0.5, await at(inUse, broken)]).toEqual([true, [1]])
})

test('one pod of payments dies of memory and comes back', async () => {
  const died = incident.outOfMemoryMinutesAgo
  expect(await at('sum(up) - count(up)', died + 1)).toEqual([0])
  expect(await at('sum(up) - count(up)', died - 1)).toEqual([-1])
  expect(await at('sum(up) - count(up)', died - 3)).toEqual([0])
  expect(await at('sum(increase(pod_restarts_total[90m])) > 0', 0)).toHaveLength(1)
  expect(await at('sum(resets(http_requests_total{workload="payments"}[90m])) > 0', 0)).toHaveLength(1)
  const used = 'max(container_memory_working_set_bytes{namespace="payments"} / container_memory_limit_bytes)'
  expect((await at(used, died + 1))[0]).toBeGreaterThan(0.9)
  expect((await at(used, 5))[0]).toBeLessThan(0.4)
})

test('buckets are cumulative, and the last one is the count', async () => {
  const less =
    'http_request_duration_seconds_bucket{le="5"} > ignoring (le) http_request_duration_seconds_bucket{le="10"}'
  expect(await at(less, broken)).toEqual([])
  const odd = 'http_request_duration_seconds_bucket{le="+Inf"} != ignoring (le) http_request_duration_seconds_count'
  expect(await at(odd, broken)).toEqual([])
  expect(await at('count(http_request_duration_seconds_count)', broken)).toEqual([10])
})

test('the same seed gives the same samples, and metrics are described', async () => {
  const again = new SampleStore()
  const next = demoSamples({ store: again, seed: 5, nowNs: BigInt(nowMs) * 1_000_000n, hours: 2 })
  expect(next).toBe(count)
  const query = 'sum(http_request_duration_seconds_sum) + sum(container_cpu_usage_seconds_total)'
  expect(await instant(again, query, nowMs / 1000)).toEqual(await instant(store, query, nowMs / 1000))
  expect(catalog.descriptionsOf('http_requests')[0]?.type).toBe('counter')
})
