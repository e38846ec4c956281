import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/index.ts'
import { rowsOf } from '../../../src/data/index.ts'
import type { PackedBody } from '../../../src/server/http/body.ts'
import { newTenant, type Tenant } from '../../../src/server/backends/tenant.ts'
import { createIngestService, replayBatches } from '../../../src/server/index.ts'
import { openBatches } from '../../store/durable/open-batches.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-replay-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const clock = { nowMs: () => 0, nowNs: () => 1_767_225_600_000_000_000n }
const always = { startNs: -(2n ** 63n), endNs: 2n ** 63n - 1n }

function bodyOf(text: string): PackedBody {
  return { chunks: [Buffer.from(text)], encoding: 'identity' }
}

async function rows(tenant: Tenant, table: string): Promise<readonly unknown[]> {
  const all: unknown[] = []
  const result = tenant.engine.query('*', { range: always, table })
  for await (const batch of result.batches()) all.push(...[...rowsOf(batch)].map((row) => Object.fromEntries(row)))
  return all
}

test('replay restores the same rows, order and arrival times', async () => {
  const first = newTenant(clock)
  const log = await openBatches(folder)
  let now = 1_767_225_600_000_000_000n
  const service = createIngestService({ targetOf: () => first, log, nowNs: () => now++ })
  const send = (table: string, format: string, text: string) =>
    service.ingest({ backend: undefined, table, format, body: bodyOf(text) })
  const same = '"_time":"2026-01-01T00:00:00Z"'
  await Promise.all([
    send('logs', 'ndjson', `{"content":"a",${same}}\nbad\n{"content":"b",${same},"n":{"x":1}}`),
    send('logs', 'ndjson', `{"content":"c",${same}}`),
    send('logs', 'ndjson', '{"content":"no time"}'),
    send('logs', 'json', '[{"content":"d"}]'),
    send('events', 'kubernetes-events', '{"involvedObject":{"kind":"Pod","name":"web-0"},"message":"started"}'),
    send('logs', 'otlp-json', '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"e"}}]}]}]}'),
  ])
  await log.close()
  const again = await openBatches(folder)
  const second = newTenant(clock)
  const { indexed, ...counts } = await replayBatches(again, () => second)
  expect(counts).toEqual({ batches: 6, rows: 7 })
  await indexed
  await again.close()
  expect(await rows(second, 'logs')).toEqual(await rows(first, 'logs'))
  expect(await rows(second, 'events')).toEqual(await rows(first, 'events'))
  expect(await rows(second, 'logs')).toHaveLength(6)
  expect(await rows(second, 'events')).toHaveLength(1)
})

test('replay applies the record options of the sender again', async () => {
  const log = await openBatches(folder)
  const first = newTenant()
  const service = createIngestService({ targetOf: () => first, log, nowNs: () => 7n })
  const options = { timeFields: ['when'], zone: '+02:00' }
  const body = {
    chunks: [Buffer.from('{"when":"2026-01-02T03:04:05Z","n":1}\n{"when":"soon","n":2}')],
    encoding: 'identity',
  }
  await service.ingest({ backend: undefined, table: 'logs', format: 'ndjson', options, body })
  await log.close()
  const again = await openBatches(folder)
  expect([...again.replay()].map(({ batch }) => batch?.options)).toEqual([options])
  const second = newTenant()
  await replayBatches(again, () => second)
  expect(await rows(second, 'logs')).toEqual(await rows(first, 'logs'))
  await again.close()
})

test('a payload of which nothing is understood is not kept', async () => {
  const log = await openBatches(folder)
  const tenant = newTenant(clock)
  const service = createIngestService({ targetOf: () => tenant, log, nowNs: () => 1n })
  await service.ingest({ backend: undefined, table: 'logs', format: 'ndjson', body: bodyOf('no\n[]') })
  expect([...log.replay()]).toEqual([])
  await log.close()
})

test('records of a newer release and of unknown backends are refused', async () => {
  const log = await openBatches(folder)
  const batch = { backend: 'eu', table: 'logs', format: 'ndjson', receivedNs: 1n, payload: Buffer.from('{"a":1}') }
  await log.append(batch)
  await expect(replayBatches(log, () => undefined)).rejects.toMatchObject({ code: 'durable/unknown-backend' })
  await log.append({ ...batch, format: 'of-tomorrow' })
  const tenant = newTenant(clock)
  const refusal = await replayBatches(log, () => tenant).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(SluiceError)
  expect((refusal as SluiceError).code).toBe('durable/unknown-format')
  await log.close()
})

test('word indexes are made after a replay, and searches give the same before and after', async () => {
  const first = newTenant(clock)
  const log = await openBatches(folder)
  const service = createIngestService({ targetOf: () => first, log, nowNs: () => 1n })
  const lines = Array.from(
    { length: 70_000 },
    (_, i) => `{"_time":${i},"content":"row ${i} is ${i % 7 === 0 ? 'odd' : 'plain'}"}`,
  )
  await service.ingest({ backend: undefined, table: 'logs', format: 'ndjson', body: bodyOf(lines.join('\n')) })
  await log.close()
  const again = await openBatches(folder)
  const second = newTenant(clock)
  const { indexed } = await replayBatches(again, () => second)
  await again.close()
  const count = async (tenant: Tenant): Promise<unknown> =>
    tenant.engine.query('odd | stats count() n', { range: always, table: 'logs' }).toArray()
  const table = second.store.table('logs')
  expect(table.view.usage()).toMatchObject({ rows: 70_000, segments: 1, indexBytes: 0 })
  const before = await count(second)
  await indexed
  expect(table.view.usage().indexBytes).toBe(first.store.table('logs').view.usage().indexBytes)
  expect(table.view.usage().memoryBytes).toBe(first.store.table('logs').view.usage().memoryBytes)
  expect(before).toEqual(await count(first))
  expect(await count(second)).toEqual(before)
})
