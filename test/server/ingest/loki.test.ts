import { gzipSync } from 'node:zlib'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replayBatches, type App } from '../../../src/server/index.ts'
import { newTenant } from '../../../src/server/backends/tenant.ts'
import { encodePush, jsonPush } from '../../ingest/loki/encode.ts'
import { openBatches } from '../../store/durable/open-batches.ts'
import { KEY, send, type Sent } from '../harness/harness.ts'
import { found, ingestApp } from './app.ts'

const streams = [
  {
    labels: { namespace: 'shop', app: 'cart' },
    entries: [
      { ns: '1767225600000000001', line: 'level=error took=5ms' },
      { ns: '1767225600000000002', line: '{"msg":"x"}', metadata: { trace_id: 'ab' } },
    ],
  },
]

function push(
  app: App,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>>,
  path = '/loki/api/v1/push',
): Promise<Sent> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const all = { Authorization: `Bearer ${KEY}`, 'X-Scope-OrgID': 'nobody', ...headers }
  return send(app, path, { method: 'POST', headers: all, body: bytes })
}

const PROTOBUF = { 'Content-Type': 'application/x-protobuf' }
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }
const text = JSON.stringify(jsonPush(streams))

test.each([
  ['protobuf', encodePush(streams), PROTOBUF],
  ['protobuf that says how it is packed', encodePush(streams), { ...PROTOBUF, 'Content-Encoding': 'snappy' }],
  ['JSON', text, JSON_TYPE],
  ['JSON in gzip', gzipSync(text), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
] as const)('%s is stored and answered with 204', async (_, body, headers) => {
  const { app } = ingestApp()
  for (const path of ['/loki/api/v1/push', '/api/prom/push'])
    expect(await push(app, body, headers, path)).toMatchObject({ status: 204, text: '' })
  expect(
    await found(
      app,
      '/api/logs/v2/search',
      'app:cart | uniq by (namespace, content, trace_id, _time) | sort by (_time)',
    ),
  ).toEqual([
    { namespace: 'shop', content: 'level=error took=5ms', trace_id: null, _time: '2026-01-01T00:00:00.000000001Z' },
    { namespace: 'shop', content: '{"msg":"x"}', trace_id: 'ab', _time: '2026-01-01T00:00:00.000000002Z' },
  ])
})

test('what is refused in part says so by its status, and the rest is stored', async () => {
  const { app } = ingestApp()
  const sent = await push(app, '{"streams":[{"stream":{"a":"b"},"values":[["1","x"],["soon","y"]]}]}', JSON_TYPE)
  expect(sent.status).toBe(400)
  expect(sent.text).toContain('line 2: its time is not one in nanoseconds')
  expect(await push(app, '{"streams":[{"stream":{"a":"b"},"values":[["soon","y"]]}]}', JSON_TYPE)).toMatchObject({
    status: 400,
    text: expect.stringMatching(/^Nothing in the body can be stored: line 1: .*\n$/) as string,
  })
  expect(await push(app, 'x', PROTOBUF)).toMatchObject({
    status: 400,
    text: expect.stringMatching(/^The body is not valid .*\n$/) as string,
  })
})

test('a replay gives the same rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-loki-'))
  try {
    const first = await openBatches(folder)
    const { app } = ingestApp({}, first)
    await push(app, encodePush(streams), PROTOBUF)
    await push(app, text, JSON_TYPE)
    await first.close()
    const second = await openBatches(folder)
    const replayed = newTenant({ nowMs: () => 0, nowNs: () => 0n })
    expect((await replayBatches(second, () => replayed)).rows).toBe(4)
    await second.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
