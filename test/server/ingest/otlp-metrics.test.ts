import { gzipSync, zstdCompressSync } from 'node:zlib'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createIngestService, createMetricReadService, replayBatches, type App } from '../../../src/server/index.ts'
import { newTenant, type Tenant } from '../../../src/server/backends/tenant.ts'
import type { DurableStore } from '../../../src/store/durable/index.ts'
import { attributes, decodeAnswer, encodeMetrics, exportOf } from '../../ingest/otlp-metrics/encode.ts'
import { openBatches } from '../../store/durable/open-batches.ts'
import { KEY, appOf, send, type Sent } from '../harness/harness.ts'

const NOW_NS = 1_767_225_600_000_000_000n
const nowMs = Number(NOW_NS / 1_000_000n)
const clock = { nowMs: () => 0, nowNs: () => NOW_NS }
const limits = { memoryBytes: 2 ** 26, timeoutMs: 120_000, scanRows: Number.MAX_SAFE_INTEGER }

function appWith(tenant: Tenant, log?: DurableStore): App {
  const metricRead = createMetricReadService({
    sourceOf: () => tenant.samples.reader,
    catalogOf: () => tenant.metricCatalog,
    clock,
    limits,
  })
  return appOf({ metricRead, ingest: createIngestService({ targetOf: () => tenant, log, nowNs: () => NOW_NS }) })
}

const PROTOBUF = { 'Content-Type': 'application/x-protobuf' }

function post(
  app: App,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> = PROTOBUF,
): Promise<Sent> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const all = { Authorization: `Bearer ${KEY}`, ...headers }
  return send(app, '/v1/metrics', { method: 'POST', headers: all, body: bytes })
}

async function dataOf(app: App, path: string): Promise<unknown> {
  const { body } = await send(app, `/api/v1/${path}`, { headers: { Authorization: `Bearer ${KEY}` } })
  return (body as { data: unknown }).data
}

async function resultOf(app: App, query: string): Promise<unknown> {
  const data = await dataOf(app, `query?query=${encodeURIComponent(query)}&time=${nowMs / 1000}`)
  return (data as { result: unknown }).result
}

const ns = (ms: number): string => `${ms}000000`
const at = { timeUnixNano: ns(nowMs) }
const deltas = (timeMs: number, count: number): object =>
  exportOf(
    [
      {
        name: 'requests',
        unit: '{request}',
        description: 'All of them.',
        sum: {
          aggregationTemporality: 1,
          isMonotonic: true,
          dataPoints: [
            {
              timeUnixNano: ns(timeMs),
              asInt: String(count),
              exemplars: [
                {
                  timeUnixNano: ns(timeMs),
                  asInt: '1',
                  traceId: Buffer.from('ab'.repeat(16), 'hex'),
                  spanId: Buffer.from('cd'.repeat(8), 'hex'),
                  filteredAttributes: attributes({ user: String(count) }),
                },
              ],
            },
          ],
        },
      },
    ],
    { 'service.name': 'checkout', 'service.version': '1.2' },
  )

let tenant: Tenant
let app: App
beforeEach(() => {
  tenant = newTenant(clock)
  app = appWith(tenant)
})

describe('an export', () => {
  test.each([
    ['as it is', (bytes: Uint8Array) => bytes, {}],
    ['gzip', gzipSync, { 'Content-Encoding': 'gzip' }],
    ['zstd', zstdCompressSync, { 'Content-Encoding': 'zstd' }],
  ] as const)('is stored, packed %s, and answered with an empty message', async (_, pack, headers) => {
    const sent = await post(app, pack(encodeMetrics(deltas(nowMs, 3))), { ...PROTOBUF, ...headers })
    expect(sent).toMatchObject({ status: 200, text: '' })
    expect(sent.headers.get('content-type')).toBe('application/x-protobuf')
    expect(await resultOf(app, 'requests_total')).toEqual([
      { metric: { __name__: 'requests_total', job: 'checkout' }, value: [nowMs / 1000, '3'] },
    ])
    expect(await resultOf(app, 'requests_total * on (job) group_left (service_version) target_info')).toEqual([
      { metric: { job: 'checkout', service_version: '1.2' }, value: [nowMs / 1000, '3'] },
    ])
    expect(await dataOf(app, 'metadata?metric=requests_total')).toEqual({
      requests_total: [{ type: 'counter', help: 'All of them.', unit: '{request}' }],
    })
  })

  test('that is packed otherwise than it says, or as a bomb, is refused', async () => {
    const zstd = { ...PROTOBUF, 'Content-Encoding': 'zstd' }
    expect(await post(app, 'nothing', zstd)).toMatchObject({ status: 400 })
    expect(await post(app, zstdCompressSync(Buffer.alloc(80_000_000)), zstd)).toMatchObject({ status: 413 })
  })

  test('of which a part is refused says how much, in the encoding it came in', async () => {
    const metrics = [{ name: 'x', gauge: { dataPoints: [{ ...at, asInt: '1' }, { ...at }, { ...at }] } }]
    const { text, status, headers } = await post(app, JSON.stringify(exportOf(metrics)), {
      'Content-Type': 'application/json',
    })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(JSON.parse(text)).toEqual({
      partialSuccess: { rejectedDataPoints: '2', errorMessage: 'it has no value; it has no value' },
    })
    const request = new Request('http://x/v1/metrics', {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}`, ...PROTOBUF },
      body: encodeMetrics(exportOf(metrics)),
    })
    const bytes = new Uint8Array(await (await app.fetch(request)).arrayBuffer())
    expect(decodeAnswer(bytes).partialSuccess).toEqual({
      rejectedDataPoints: '2',
      errorMessage: 'it has no value; it has no value',
    })
  })

  test('of deltas that were sent before is refused point by point', async () => {
    await post(app, encodeMetrics(deltas(nowMs, 3)))
    const again = await post(app, JSON.stringify(deltas(nowMs, 3)), { 'Content-Type': 'application/json' })
    expect(again.body).toEqual({
      partialSuccess: {
        rejectedDataPoints: '1',
        errorMessage: 'deltas that are not later than the last sample of their series',
      },
    })
  })

  test('quantiles of classic and native histograms are computed', async () => {
    const classic = { ...at, count: '4', sum: 2, bucketCounts: ['2', '2', '0'], explicitBounds: [0.5, 1] }
    const native = { ...at, count: '4', sum: 2, scale: 0, positive: { offset: 0, bucketCounts: ['4'] } }
    await post(
      app,
      encodeMetrics(
        exportOf([
          { name: 'c', unit: 's', histogram: { aggregationTemporality: 2, dataPoints: [classic] } },
          { name: 'n', exponentialHistogram: { aggregationTemporality: 2, dataPoints: [native] } },
        ]),
      ),
    )
    expect(await resultOf(app, 'histogram_quantile(0.75, c_seconds_bucket)')).toMatchObject([
      { value: [nowMs / 1000, '0.75'] },
    ])
    expect(await resultOf(app, 'histogram_quantile(0.5, n)')).toMatchObject([
      { value: [nowMs / 1000, '1.414213562373095'] },
    ])
  })
})

describe('exemplars', () => {
  test('are found by the expressions that read their series', async () => {
    await post(app, encodeMetrics(deltas(nowMs - 1000, 3)))
    await post(app, encodeMetrics(deltas(nowMs, 4)))
    const found = [
      {
        seriesLabels: { __name__: 'requests_total', job: 'checkout' },
        exemplars: [
          {
            labels: { span_id: 'cd'.repeat(8), trace_id: 'ab'.repeat(16), user: '3' },
            value: '1',
            timestamp: nowMs / 1000 - 1,
          },
          {
            labels: { span_id: 'cd'.repeat(8), trace_id: 'ab'.repeat(16), user: '4' },
            value: '1',
            timestamp: nowMs / 1000,
          },
        ],
      },
    ]
    const range = `start=${nowMs / 1000 - 1}&end=${nowMs / 1000}`
    const ask = (query: string, times = range) =>
      dataOf(app, `query_exemplars?query=${encodeURIComponent(query)}&${times}`)
    expect(await ask('sum by (job) (rate(requests_total[5m])) / 2')).toEqual(found)
    expect(await ask('requests_total{job="other"} + up')).toEqual([])
    expect(await ask('1')).toEqual([])
    expect(await ask('requests_total', `start=${nowMs / 1000 + 1}&end=${nowMs / 1000 + 2}`)).toEqual([])
  })
})

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test('sums of deltas, native histograms and exemplars are the same after a replay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-otlp-metrics-'))
  folders.push(folder)
  const first = await openBatches(folder)
  const logged = appWith(tenant, first)
  const native = (timeMs: number): object => ({
    timeUnixNano: ns(timeMs),
    count: '2',
    sum: 1,
    scale: 2,
    positive: { offset: 3, bucketCounts: ['1', '1'] },
  })
  for (const [i, step] of [5000, 3000, 4000, 0].entries()) {
    expect(await post(logged, encodeMetrics(deltas(nowMs - step, i + 1)))).toMatchObject({ status: 200 })
    const points = { aggregationTemporality: 1, dataPoints: [native(nowMs - step)] }
    await post(logged, encodeMetrics(exportOf([{ name: 'n', exponentialHistogram: points }])))
  }
  // The third sample is too old to be added.
  expect(await resultOf(logged, 'requests_total')).toMatchObject([{ value: [nowMs / 1000, '7'] }])
  expect(await resultOf(logged, 'histogram_count(n)')).toMatchObject([{ value: [nowMs / 1000, '6'] }])
  await first.close()
  const second = await openBatches(folder)
  const replayed = newTenant(clock)
  await replayBatches(second, () => replayed)
  await second.close()
  const select = ({ samples }: Tenant) => [
    samples.reader.select({ matchers: [], guard: undefined, startMs: -1, endMs: Infinity }),
    samples.reader.exemplars({ filters: [[]], guard: undefined, startMs: 0, endMs: Infinity }),
  ]
  expect(select(replayed)).toEqual(select(tenant))
})
