import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import protobuf from 'protobufjs'
import snappy from 'snappyjs'
import { afterAll, describe, expect, test } from 'vitest'
import { newTarget, newTenant, type Tenant } from '../../../src/server/backends/tenant.ts'
import { createIngestService, createMetricReadService, replayBatches } from '../../../src/server/index.ts'
import type { DurableStore } from '../../../src/store/durable/index.ts'
import { openBatches } from '../../store/durable/open-batches.ts'
import { KEY, SALT, appOf, key, send, type Sent } from '../harness/harness.ts'
import { KeyRing } from '../../../src/server/index.ts'

const NOW_NS = 1_767_225_600_000_000_000n
const nowMs = Number(NOW_NS / 1_000_000n)
const clock = { nowMs: () => 0, nowNs: () => NOW_NS }
const limits = { memoryBytes: 2 ** 26, timeoutMs: 120_000, scanRows: Number.MAX_SAFE_INTEGER }

function appWith(tenant: Tenant, log?: DurableStore, keys?: KeyRing) {
  const metricRead = createMetricReadService({
    sourceOf: () => tenant.samples.reader,
    catalogOf: () => tenant.metricCatalog,
    clock,
    limits,
  })
  const ingest = createIngestService({ targetOf: () => tenant, log, nowNs: () => NOW_NS })
  return appOf({ metricRead, ingest, ...(keys === undefined ? {} : { keys }) })
}

type App = ReturnType<typeof appWith>

function post(
  app: App,
  path: string,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>>,
): Promise<Sent> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  return send(app, path, { method: 'POST', headers: { Authorization: `Bearer ${KEY}`, ...headers }, body: bytes })
}

async function resultOf(app: App, query: string): Promise<unknown> {
  const path = `/api/v1/query?query=${encodeURIComponent(query)}&time=${nowMs / 1000}`
  const { body } = await send(app, path, { headers: { Authorization: `Bearer ${KEY}` } })
  return (body as { data: { result: unknown } }).data.result
}

const TEXT = { 'Content-Type': 'text/plain; version=0.0.4' }
const WRITE_1 = { 'Content-Type': 'application/x-protobuf', 'Content-Encoding': 'snappy' }
const WRITE_2 = { ...WRITE_1, 'Content-Type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request' }

const version1 = protobuf.parse(
  `syntax = "proto3";
  message WriteRequest { repeated TimeSeries timeseries = 1; }
  message TimeSeries { repeated Label labels = 1; repeated Sample samples = 2; }
  message Label { string name = 1; string value = 2; }
  message Sample { double value = 1; int64 timestamp = 2; }`,
  { keepCase: true },
).root
const version2 = protobuf.parse(
  `syntax = "proto3";
  message Request { repeated string symbols = 4; repeated TimeSeries timeseries = 5; }
  message TimeSeries { repeated uint32 labels_refs = 1; repeated Sample samples = 2; repeated Histogram histograms = 3;
    repeated Exemplar exemplars = 4; Metadata metadata = 5; }
  message Exemplar { repeated uint32 labels_refs = 1; double value = 2; int64 timestamp = 3; }
  message Metadata { int32 type = 1; uint32 help_ref = 3; uint32 unit_ref = 4; }
  message Sample { double value = 1; int64 timestamp = 2; }
  message Span { sint32 offset = 1; uint32 length = 2; }
  message Histogram { uint64 count_int = 1; double sum = 3; sint32 schema = 4; double zero_threshold = 5;
    repeated Span positive_spans = 11; repeated sint64 positive_deltas = 12; int64 timestamp = 15; }`,
  { keepCase: true },
).root

function pack(root: protobuf.Root, type: string, message: object): Uint8Array {
  const messageType = root.lookupType(type)
  return snappy.compress(new Uint8Array(messageType.encode(messageType.fromObject(message)).finish()))
}

const written1 = pack(version1, 'WriteRequest', {
  timeseries: [
    {
      labels: [
        { name: '__name__', value: 'up' },
        { name: 'job', value: 'a' },
      ],
      samples: [{ value: 1, timestamp: nowMs }],
    },
  ],
})
const written2 = pack(version2, 'Request', {
  symbols: ['', '__name__', 'native', 'level'],
  timeseries: [
    { labels_refs: [1, 3], samples: [{ value: 2.5, timestamp: nowMs }] },
    {
      labels_refs: [1, 2],
      histograms: [
        { count_int: 3, sum: 4, positive_spans: [{ offset: 0, length: 1 }], positive_deltas: [3], timestamp: nowMs },
      ],
    },
  ],
})
const text = [
  '# HELP load Load of the machine.',
  '# TYPE load gauge',
  'load{zone="eu"} 1.5',
  `load{zone="us"} 2 ${nowMs - 1000}`,
  'load{ broken',
  '',
].join('\n')

describe('the text format', () => {
  test('is stored, and what is wrong is reported', async () => {
    const app = appWith(newTenant(clock))
    const sent = await post(app, '/api/v1/import/prometheus', text, TEXT)
    expect([sent.status, sent.body]).toEqual([
      200,
      { accepted: 2, rejected: 1, errors: [{ line: 5, reason: expect.any(String) }] },
    ])
    expect(await resultOf(app, 'sum(load)')).toEqual([{ metric: {}, value: [nowMs / 1000, '3.5'] }])
    const { body } = await send(app, '/api/v1/metadata', { headers: { Authorization: KEY } })
    expect(body).toMatchObject({ data: { load: [{ type: 'gauge', help: 'Load of the machine.', unit: '' }] } })
  })

  test('packed, as OpenMetrics, and as simple clients send it', async () => {
    const app = appWith(newTenant(clock))
    const open = { 'Content-Type': 'application/openmetrics-text; version=1.0.0; charset=utf-8' }
    const packed = new Uint8Array(gzipSync(`a 1 ${nowMs / 1000}\n# EOF\n`))
    const first = await post(app, '/api/v1/import/prometheus', packed, { ...open, 'Content-Encoding': 'gzip' })
    const second = await post(app, '/api/v1/import/prometheus', 'b 2\n', {
      'Content-Type': 'application/x-www-form-urlencoded',
    })
    expect([first.status, second.status]).toEqual([200, 200])
    expect(await resultOf(app, 'a + b')).toMatchObject([{ value: [nowMs / 1000, '3'] }])
  })

  test('a body of which nothing can be stored is refused', async () => {
    const app = appWith(newTenant(clock))
    const sent = await post(app, '/api/v1/import/prometheus', 'a b c\n', TEXT)
    expect([sent.status, sent.body]).toMatchObject([400, { code: 'server/nothing-accepted' }])
  })
})

describe('remote write', () => {
  test('both versions', async () => {
    const app = appWith(newTenant(clock))
    const first = await post(app, '/api/v1/write', written1, WRITE_1)
    expect([first.status, first.text]).toEqual([204, ''])
    const second = await post(app, '/api/v1/write', written2, WRITE_2)
    const count = (kind: string): string | null => second.headers.get(`X-Prometheus-Remote-Write-${kind}-Written`)
    expect([second.status, count('Samples'), count('Histograms'), count('Exemplars')]).toEqual([204, '1', '1', '0'])
    expect(await resultOf(app, 'up')).toMatchObject([{ metric: { job: 'a' }, value: [nowMs / 1000, '1'] }])
    expect(await resultOf(app, 'level + on () histogram_sum(native)')).toMatchObject([{ value: [nowMs / 1000, '6.5'] }])
  })

  const named = { labels_refs: [1, 2], samples: [{ value: 2, timestamp: nowMs }] }
  const symbols = ['', '__name__', 'sold_total', 'trace_id', 'abc', 'What was sold.', 'items']

  test('version 2 tells of metrics and brings exemplars', async () => {
    const app = appWith(newTenant(clock))
    const series = {
      ...named,
      exemplars: [{ labels_refs: [3, 4], value: 0.5, timestamp: nowMs - 1 }],
      metadata: { type: 1, help_ref: 5, unit_ref: 6 },
    }
    const sent = await post(app, '/api/v1/write', pack(version2, 'Request', { symbols, timeseries: [series] }), WRITE_2)
    expect(sent.status).toBe(204)
    expect(sent.headers.get('X-Prometheus-Remote-Write-Exemplars-Written')).toBe('1')
    const get = async (path: string) => (await send(app, `/api/v1/${path}`, { headers: { Authorization: KEY } })).body
    expect(await get('metadata')).toMatchObject({
      data: { sold_total: [{ type: 'counter', help: 'What was sold.', unit: 'items' }] },
    })
    expect(await get(`query_exemplars?query=sold_total&start=0&end=${nowMs}`)).toMatchObject({
      data: [
        {
          seriesLabels: { __name__: 'sold_total' },
          exemplars: [{ labels: { trace_id: 'abc' }, value: '0.5', timestamp: (nowMs - 1) / 1000 }],
        },
      ],
    })
  })

  test('a partly stored body is answered with 400 and counts', async () => {
    const app = appWith(newTenant(clock))
    const timeseries = [named, { ...named, labels_refs: [1, 99] }, { ...named, labels_refs: [1] }]
    const sent = await post(app, '/api/v1/write', pack(version2, 'Request', { symbols, timeseries }), WRITE_2)
    expect(sent).toMatchObject({ status: 400, text: expect.stringMatching(/^[^{].*\n$/) as string })
    expect(sent.headers.get('X-Prometheus-Remote-Write-Samples-Written')).toBe('1')
    expect(await resultOf(app, 'sold_total')).toMatchObject([{ value: [nowMs / 1000, '2'] }])
  })

  test('a message that is not known is refused before it is read', async () => {
    const app = appWith(newTenant(clock))
    const type = { 'Content-Type': 'application/x-protobuf;proto=io.prometheus.write.v3.Request' }
    const sent = await post(app, '/api/v1/write', written2, { ...WRITE_2, ...type })
    expect(sent).toMatchObject({ status: 415, text: expect.stringContaining('io.prometheus.write.v3') as string })
  })

  test('a body that is not remote write is refused, and nothing is stored', async () => {
    const tenant = newTenant(clock)
    const app = appWith(tenant)
    const status = async (body: Uint8Array | string, headers: Readonly<Record<string, string>>) =>
      (await post(app, '/api/v1/write', body, headers)).status
    expect(await status('no snappy', WRITE_1)).toBe(400)
    expect(await status(snappy.compress(new Uint8Array([255, 255, 255])), WRITE_1)).toBe(400)
    expect(await status('{}', { 'Content-Type': 'application/json' })).toBe(415)
    expect(await status(written1, { ...WRITE_1, 'Content-Encoding': 'zstd' })).toBe(415)
    expect(tenant.samples.series.count).toBe(0)
  })

  test('a key without the role may not write', async () => {
    const keys = new KeyRing(SALT, [key(KEY, { roles: new Set(['read']) })])
    const app = appWith(newTenant(clock), undefined, keys)
    expect((await post(app, '/api/v1/write', written1, WRITE_1)).status).toBe(403)
    expect((await post(app, '/api/v1/import/prometheus', text, TEXT)).status).toBe(403)
  })
})

describe('with a log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'metrics-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('samples come back as they were ingested', async () => {
    const log = await openBatches(folder)
    const app = appWith(newTenant(clock), log)
    for (const [route, body, headers] of [
      ['/api/v1/write', written1, WRITE_1],
      ['/api/v1/write', written2, WRITE_2],
      ['/api/v1/import/prometheus', text, TEXT],
    ] as const) {
      expect((await post(app, route, body, headers)).status).toBeLessThan(300)
    }
    expect((await post(app, '/api/v1/import/prometheus', 'a b c\n', TEXT)).status).toBe(400)
    await log.close()
    const again = await openBatches(folder)
    const tenant = newTenant(clock)
    const { indexed, ...counts } = await replayBatches(again, () => tenant)
    expect(counts).toEqual({ batches: 3, rows: 5 })
    await indexed
    await again.close()
    const restored = appWith(tenant)
    const everything = 'sort({__name__=~"up|load|level"}) or {__name__="native"}'
    expect(await resultOf(restored, everything)).toEqual(await resultOf(app, everything))
    expect(await resultOf(restored, 'count({__name__=~".+"})')).toMatchObject([{ value: [nowMs / 1000, '5'] }])
  })
})

/** Returns lines for the series `m` with these ids. */
const linesOf = (...ids: number[]): string => ids.map((id) => `m{id="${id}"} ${id} ${nowMs}\n`).join('')
const idsIn = ({ samples }: Tenant): readonly string[] => samples.series.all.map(({ labels }) => labels.get('id'))

describe('a limit of series', () => {
  const folder = mkdtempSync(join(tmpdir(), 'metrics-limit-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  /**
   * Opens the log, replays it under a series limit, and sends series with these ids. Returns what was replayed and what
   * is stored afterwards.
   */
  async function started(limitSeries: number, ...ids: number[]) {
    const log = await openBatches(folder)
    const tenant = newTenant(clock, newTarget(limitSeries))
    await replayBatches(log, () => tenant)
    const readBack = idsIn(tenant)
    const sent = await post(appWith(tenant, log), '/api/v1/import/prometheus', linesOf(...ids), TEXT)
    await log.close()
    return { readBack, sent: sent.body, now: idsIn(tenant) }
  }

  test('whatever was acknowledged comes back at each start, whatever was refused does not', async () => {
    const first = await started(3, 1, 2, 3, 4)
    expect(first).toMatchObject({ readBack: [], sent: { accepted: 3, rejected: 1 }, now: ['1', '2', '3'] })
    const lower = await started(1, 3, 5, 1)
    expect(lower).toMatchObject({ readBack: ['1', '2', '3'], sent: { accepted: 2, rejected: 1 }, now: ['1', '2', '3'] })
    const higher = await started(5, 5, 6, 7)
    expect(higher).toMatchObject({ readBack: ['1', '2', '3'], sent: { accepted: 2, rejected: 1 } })
    const unsaid = await started(1_000_000, 8)
    expect(unsaid).toMatchObject({ readBack: ['1', '2', '3', '5', '6'], sent: { accepted: 1, rejected: 0 } })
    expect((await started(2, 1)).readBack).toEqual(['1', '2', '3', '5', '6', '8'])
  })
})

test('new series beyond the limit of a backend are refused in words, samples of known ones are not', async () => {
  const tenant = newTenant(clock, newTarget(2))
  const app = appWith(tenant)
  const sent = await post(app, '/api/v1/import/prometheus', linesOf(1, 2, 3, 1), TEXT)
  expect([sent.status, sent.body]).toMatchObject([200, { accepted: 3, rejected: 1 }])
  expect(sent.text).toContain('a new series beyond the 2 that a backend has')
  const refused = await post(app, '/api/v1/import/prometheus', linesOf(4, 5), TEXT)
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('labels with fewer values make fewer series')
  expect(tenant.samples.series.count).toBe(2)
})
