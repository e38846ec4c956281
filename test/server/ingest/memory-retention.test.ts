import { expect, test } from 'vitest'
import { createIngestService, createServer } from '../../../src/server/index.ts'
import { MemoryRetention } from '../../../src/server/ingest/memory-retention.ts'
import { newTarget, newTenant } from '../../../src/server/backends/tenant.ts'

const START_MS = 1_767_225_600_000
const HOUR_NS = 3_600_000_000_000n
const startNs = BigInt(START_MS) * 1_000_000n
const everything = { matchers: [], guard: undefined, startMs: -Infinity, endMs: Infinity }
const always = { startNs: -(2n ** 63n), endNs: 2n ** 63n - 1n }

test('rows and samples leave when they are too old, also where few come', async () => {
  let nowNs = startNs
  const clock = { nowMs: () => Number(nowNs / 1_000_000n), nowNs: () => nowNs }
  const tenant = newTenant(clock, newTarget(1000, { cacheBytes: 1 << 16 }))
  const targets = new Map([['default', tenant]])
  const ageNs = new Map([
    ['logs', 8n * HOUR_NS],
    ['samples', 16n * HOUR_NS],
  ])
  const retention = new MemoryRetention(targets, { ageNs, nowNs: clock.nowNs })
  const service = createIngestService({ targetOf: () => tenant, log: undefined, nowNs: clock.nowNs })
  const send = (table: string, format: string, text: string): Promise<unknown> =>
    service.ingest({
      backend: undefined,
      table,
      format,
      body: { chunks: [Buffer.from(text)], encoding: 'identity' as const },
    })
  const left = async () => {
    const rows = await tenant.engine.query('* | stats min(_time) first', { range: always }).toArray()
    const [{ timesMs } = { timesMs: [] }] = tenant.samples.reader.select(everything)
    const firstMs = Date.parse(String((rows[0] as { first?: string })?.first))
    return [firstMs, timesMs[0]].map((ms) => Math.round(((ms ?? NaN) - START_MS) / 3_600_000))
  }
  const seen: (readonly number[])[] = []
  for (let hour = 0; hour < 48; hour++) {
    nowNs = startNs + BigInt(hour) * HOUR_NS
    await send('logs', 'ndjson', `{"_time":"${new Date(clock.nowMs()).toISOString()}","content":"row ${hour}"}`)
    await send('samples', 'prometheus-text', `up 1 ${clock.nowMs()}`)
    await retention.expire()
    seen.push(await left())
  }
  // Rows are never removed early. They may stay an eighth longer while they wait to be sealed, or share a merged file
  // with newer rows.
  for (const [hour, [rows, samples]] of seen.entries()) {
    expect(rows).toBeLessThanOrEqual(Math.max(0, hour - 8))
    expect(rows).toBeGreaterThanOrEqual(hour - 8 - 2)
    expect(samples).toBeLessThanOrEqual(Math.max(0, hour - 16))
  }
  expect(seen.at(-1)?.[1]).toBeGreaterThanOrEqual(47 - 2 * 16)
  expect(retention.expiredSegments).toBeGreaterThan(10)
  nowNs += 100n * HOUR_NS
  // Unsealed rows and samples in columns must be sealed before they can expire.
  for (let i = 0; i < 4; i++) {
    nowNs += 16n * HOUR_NS
    await retention.expire()
  }
  expect(await tenant.engine.query('* | stats count() n', { range: always }).toArray()).toEqual([{ n: 0 }])
  expect(tenant.samples.series.count).toBe(0)
  expect(await retention.expire()).toBe(false)
})

test.each([0, 1])('a server without a folder forgets what is too old, with %i workers', async (workers) => {
  const retention = { ageNs: new Map([['samples', 1n]]), bytes: undefined }
  const server = await createServer({ keys: ['secret'], workers, retention })
  try {
    await server.loaded
    const headers = { Authorization: 'Bearer secret' }
    const body = `up 1 ${Date.now() - 10_000}\n`
    const push = new Request('http://localhost/api/v1/import/prometheus', { method: 'POST', headers, body })
    expect((await server.fetch(push)).status).toBe(200)
    const found = async (): Promise<string> => {
      const url = 'http://localhost/api/v1/series?match[]=up&start=0'
      return (await server.fetch(new Request(url, { headers }))).text()
    }
    await expect.poll(found).toContain('"data":[]')
    const metrics = async (): Promise<string> =>
      (await server.fetch(new Request('http://localhost/metrics', { headers }))).text()
    await expect.poll(metrics).toContain('sluice_segments_expired_total 1\n')
  } finally {
    await server.close()
  }
})
