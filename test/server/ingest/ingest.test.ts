import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { SluiceError, nowhere } from '../../../src/base/index.ts'
import { defaultServerLimits, KeyRing } from '../../../src/server/index.ts'
import {
  durableDiagnostic,
  type Batch,
  type DurableStore,
  type LogMark,
  type Logged,
} from '../../../src/store/durable/index.ts'
import { answerFaults } from '../harness/contract.ts'
import { KEY, SALT, key, send, type Sent } from '../harness/harness.ts'
import { found, ingestApp } from './app.ts'

const LOGS = '/api/logs/v2/search'
const EVENTS = '/api/k8s/v2/events/search'
const TRACES = '/api/traces/v2/search'

type AppOf = ReturnType<typeof ingestApp>['app']

async function put(
  app: AppOf,
  path: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const sent = await send(app, path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/x-ndjson', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  const type = sent.headers.get('content-type') ?? ''
  // Only JSON answers have a schema to check.
  if (sent.body !== undefined) expect(answerFaults(path, 'POST', sent.status, type, sent.body)).toBeUndefined()
  return sent
}

describe('JSON lines', () => {
  test('rows can be searched at once; bad lines are counted and reported', async () => {
    const { app } = ingestApp()
    const body = '{"content":"one","level":"info"}\nnot json\n\n[1]\n{"content":"two","level":"error"}'
    const sent = await put(app, '/api/ingest/logs', body)
    expect(sent.status).toBe(200)
    expect(sent.body).toMatchObject({ accepted: 2, rejected: 2, errors: [{ line: 2 }, { line: 4, excerpt: '[1]' }] })
    expect(await found(app, LOGS, 'level:error')).toEqual([
      { _time: '2026-01-01T00:00:00.000000000Z', level: 'error', content: 'two' },
    ])
  })

  test.each(['logs', 'events', 'spans', 'clusters', 'workloads'])('%s have a route', async (kind) => {
    const { app, tenants } = ingestApp()
    const sent = await put(app, `/api/ingest/${kind}`, '{"name":"a","x":1}\n{"name":"b","x":2}\n')
    expect(sent.body).toEqual({ accepted: 2, rejected: 0, errors: [], timelessRecords: 2 })
    expect(tenants.get('default')?.store.table(kind).view.usage().rows).toBe(2)
  })

  test('a list, and one object over several lines', async () => {
    const { app } = ingestApp()
    expect((await put(app, '/api/ingest/logs', '[{"content":"a"},7,{"content":"b"}]')).body).toEqual({
      accepted: 2,
      rejected: 1,
      errors: [{ line: 2, reason: 'a record must be an object', excerpt: '7' }],
      timelessRecords: 2,
    })
    expect((await put(app, '/api/ingest/logs', '{\n  "content": "c"\n}')).body).toMatchObject({ accepted: 1 })
    expect(await found(app, LOGS, '* | stats count() n')).toEqual([{ n: 3 }])
  })

  test('attribute maps are lifted to bare names; a field of that name stays', async () => {
    const { app } = ingestApp()
    const record = {
      message: 'crashed',
      type: 'container_crash',
      string_attributes: { podName: 'api-0', type: 'other' },
      float_attributes: { memoryLimit: 512.5 },
    }
    await put(app, '/api/ingest/events', JSON.stringify(record))
    expect(await found(app, EVENTS, 'podName:api-0 memoryLimit:>500')).toMatchObject([
      { type: 'container_crash', podName: 'api-0', memoryLimit: 512.5, 'string_attributes.type': 'other' },
    ])
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('%s is unpacked, and counted unpacked', async (encoding, pack: (text: string) => Uint8Array) => {
    const limits = { ...defaultServerLimits, ingestBodyBytes: 2000 }
    const { app } = ingestApp({ limits })
    const line = '{"content":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}\n'
    const headers = { 'Content-Encoding': encoding }
    expect((await put(app, '/api/ingest/logs', pack(line.repeat(20)), headers)).body).toMatchObject({
      accepted: 20,
    })
    expect((await put(app, '/api/ingest/logs', pack(line.repeat(2000)), headers)).status).toBe(413)
    expect((await put(app, '/api/ingest/logs', 'not packed', headers)).status).toBe(400)
  })
})

describe('tables', () => {
  test.each([
    ['text/csv; charset=utf-8', '_time,content,took\r\n2026-03-10T11:00:00Z,"a, ""b""\nc",7\r\n'],
    ['text/csv', '_time;content;took\n2026-03-10T11:00:00Z;"a, ""b""\nc";7'],
    ['text/tab-separated-values', '_time\tcontent\ttook\n2026-03-10T11:00:00Z\t"a, ""b""\nc"\t7\n'],
  ])('%s', async (type, body) => {
    const { app } = ingestApp()
    const answer = await put(app, '/api/ingest/logs', body, { 'Content-Type': type })
    expect(answer.body).toMatchObject({ accepted: 1, rejected: 0 })
    expect(await found(app, LOGS, 'took:7')).toMatchObject([{ content: 'a, "b"\nc', took: '7' }])
  })

  test('a quote that is not closed is reported with its line, the rows before it are stored', async () => {
    const { app } = ingestApp()
    const body = 'content,took\na,1\n"b,2\nc,3\n'
    const answer = await put(app, '/api/ingest/logs', body, { 'Content-Type': 'text/csv' })
    expect(answer.body).toMatchObject({ accepted: 1, rejected: 1, errors: [{ line: 3 }] })
  })
})

describe('logs as text', () => {
  const text = { 'Content-Type': 'text/plain; charset=utf-8' }

  test('plain lines bring their time and level', async () => {
    const { app } = ingestApp()
    const body = '2026-03-10T11:00:00Z ERROR pool exhausted\r\n\n2026-03-10 11:00:01 WARN nearly\n'
    expect((await put(app, '/api/ingest/logs', body, text)).body).toEqual({ accepted: 2, rejected: 0, errors: [] })
    expect(await found(app, LOGS, '* | fields _time, level')).toEqual([
      { _time: '2026-03-10T11:00:01.000000000Z', level: 'warn' },
      { _time: '2026-03-10T11:00:00.000000000Z', level: 'error' },
    ])
  })

  test('logfmt is seen; JSON that calls itself text is read as JSON', async () => {
    const { app } = ingestApp()
    await put(app, '/api/ingest/logs', 'level=error msg="a b" n=1\nlevel=info msg=c n=2\n', text)
    await put(app, '/api/ingest/logs', '{"level":"error","content":"d"}', text)
    expect(await found(app, LOGS, 'level:error | sort by (content) | fields content')).toEqual([
      { content: 'a b' },
      { content: 'd' },
    ])
  })
})

describe('refusals', () => {
  test('nothing to store: 400 with the first line', async () => {
    const { app } = ingestApp()
    const sent = await put(app, '/api/ingest/logs', 'hello\nworld\n')
    expect(sent.status).toBe(400)
    expect(sent.body).toMatchObject({ code: 'server/nothing-accepted' })
    expect(sent.text).toContain('line 1')
  })

  test('an empty body stores nothing and is no error', async () => {
    const { app } = ingestApp()
    expect((await put(app, '/api/ingest/logs', '')).body).toEqual({ accepted: 0, rejected: 0, errors: [] })
  })

  test('types, encodings, methods, kinds', async () => {
    const { app } = ingestApp()
    expect((await put(app, '/api/ingest/logs', '{}', { 'Content-Type': 'image/png' })).status).toBe(415)
    expect((await put(app, '/api/ingest/logs', '{}', { 'Content-Encoding': 'compress' })).status).toBe(415)
    expect((await put(app, '/api/ingest/nothing', '{}')).status).toBe(404)
    expect((await send(app, '/api/ingest/logs', { headers: { Authorization: KEY } })).status).toBe(405)
  })

  test('bodies together have a bound: 429 for the key that has most of them, 503 for others; their bytes are given back', async () => {
    const limits = { ...defaultServerLimits, ingestBytes: 200 }
    const keys = new KeyRing(
      SALT,
      ['a', 'b'].map((name) => key(name)),
    )
    const { app } = ingestApp({ limits, keys })
    /** Starts a request whose body of `bytes` bytes stays open until the test ends it. */
    const begin = (name: string, bytes: number) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const writer = writable.getWriter()
      const headers = { Authorization: name, 'Content-Type': 'application/x-ndjson' }
      const request = { method: 'POST', headers, body: readable, duplex: 'half' as const }
      const answer = app.fetch(new Request('http://localhost/api/ingest/logs', request))
      const text = `{"content":"${'x'.repeat(bytes - 14)}"}`
      return { end: () => writer.close(), answer, sent: writer.write(Buffer.from(text)) }
    }
    const codeOf = async (answer: Promise<Response>): Promise<unknown> => {
      const response = await answer
      return response.ok ? 200 : [response.status, ((await response.json()) as { code: string }).code]
    }
    for (let round = 0; round < 3; round++) {
      const first = begin('a', 140)
      await first.sent
      expect(await codeOf(begin('a', 20).answer)).toEqual([429, 'server/too-many-bodies'])
      expect(await codeOf(begin('b', 70).answer)).toEqual([503, 'server/busy'])
      const other = begin('b', 40)
      await Promise.all([other.end(), first.end()])
      expect([await codeOf(other.answer), await codeOf(first.answer)]).toEqual([200, 200])
    }
  })

  test('a key that may only read stores nothing', async () => {
    const keys = new KeyRing(SALT, [key(KEY, { roles: new Set(['read']) })])
    const { app } = ingestApp({ keys })
    expect((await put(app, '/api/ingest/logs', '{"content":"x"}')).status).toBe(403)
    expect(await found(app, LOGS)).toEqual([])
  })

  test('nothing is ingested before the server is ready', async () => {
    const { app } = ingestApp({ isReady: () => false })
    const sent = await put(app, '/api/ingest/logs', '{"content":"x"}')
    expect(sent.status).toBe(503)
    expect(sent.headers.get('retry-after')).toBe('1')
  })
})

test('backends are apart', async () => {
  const { app } = ingestApp({}, undefined, ['eu', 'us'])
  await put(app, '/api/ingest/logs', '{"content":"in eu"}', { 'X-Backend-Id': 'eu' })
  expect(await found(app, LOGS, '* | stats count() n', { 'X-Backend-Id': 'eu' })).toEqual([{ n: 1 }])
  expect(await found(app, LOGS, '* | stats count() n', { 'X-Backend-Id': 'us' })).toEqual([{ n: 0 }])
  expect((await put(app, '/api/ingest/logs', '{"content":"x"}')).status).toBe(403)
})

const event = {
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name: 'payments.17', namespace: 'payments', uid: 'e-1', creationTimestamp: '2026-03-10T11:00:00Z' },
  involvedObject: { kind: 'Pod', namespace: 'payments', name: 'payments-5b8c6f7d9-zr4mk', uid: 'p-1' },
  reason: 'BackOff',
  message: 'Back-off restarting failed container',
  type: 'Warning',
  count: 4,
  firstTimestamp: '2026-03-10T11:00:00Z',
  lastTimestamp: '2026-03-10T11:05:00Z',
}

describe('events of Kubernetes', () => {
  const row = {
    _time: '2026-03-10T11:05:00.000000000Z',
    type: 'Warning',
    reason: 'BackOff',
    namespace: 'payments',
    workload: 'payments',
    instance: 'payments-5b8c6f7d9-zr4mk',
    object_kind: 'Pod',
    object_uid: 'p-1',
    uid: 'e-1',
    count: 4,
    firstSeen: '2026-03-10T11:00:00.000000000Z',
    lastSeen: '2026-03-10T11:05:00.000000000Z',
  }

  test.each([
    ['one event', JSON.stringify(event, undefined, 2)],
    ['one line', JSON.stringify(event)],
    ['a list', JSON.stringify({ kind: 'EventList', apiVersion: 'v1', items: [event] }, undefined, 1)],
    ['a list of anything', JSON.stringify({ kind: 'List', items: [event] })],
    ['a watch', `${JSON.stringify({ type: 'ADDED', object: event })}\n`],
    ['an array', JSON.stringify([event])],
  ])('%s', async (_, body) => {
    const { app } = ingestApp()
    expect((await put(app, '/api/ingest/events', body, { 'Content-Type': 'application/json' })).body).toMatchObject({
      accepted: 1,
      rejected: 0,
    })
    expect(await found(app, EVENTS, 'workload:payments')).toMatchObject([row])
  })

  test('lines may mix events and plain records', async () => {
    const { app } = ingestApp()
    const body = `${JSON.stringify(event)}\n{"type":"Normal","message":"plain"}\nbad\n`
    expect((await put(app, '/api/ingest/events', body)).body).toMatchObject({
      accepted: 2,
      rejected: 1,
      errors: [{ line: 3, reason: 'not JSON' }],
    })
  })
})

describe('OTLP', () => {
  const logs = {
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'checkout' } }] },
        scopeLogs: [
          { logRecords: [{ timeUnixNano: '1773140700000000001', severityNumber: 17, body: { stringValue: 'no' } }] },
        ],
      },
    ],
  }

  test('logs as JSON', async () => {
    const { app } = ingestApp()
    const sent = await put(app, '/v1/logs', JSON.stringify(logs), { 'Content-Type': 'application/json' })
    expect([sent.status, sent.text, sent.headers.get('content-type')]).toEqual([200, '{}', 'application/json'])
    expect(await found(app, LOGS)).toMatchObject([
      { _time: '2026-03-10T11:05:00.000000001Z', level: 'error', workload: 'checkout', content: 'no' },
    ])
  })

  test('spans that lack what they need are a partial success', async () => {
    const { app } = ingestApp()
    const span = {
      traceId: 'ab'.repeat(16),
      spanId: 'cd'.repeat(8),
      name: 'GET /',
      startTimeUnixNano: '1773140700000000000',
    }
    const body = { resourceSpans: [{ scopeSpans: [{ spans: [span, { name: 'no ids' }] }] }] }
    const sent = await put(app, '/v1/traces', JSON.stringify(body), { 'Content-Type': 'application/json' })
    expect(sent.body).toMatchObject({ partialSuccess: { rejectedSpans: '1' } })
    expect(await found(app, TRACES, '* | fields span_name')).toEqual([{ span_name: 'GET /' }])
  })

  test.each([
    ['base64', 'W47/95gDgQPSabYzgT/GDA==', '7uGbfsPBsXQ='],
    ['base64 without marks', 'W47a95gDgQPSabYzgTaGDA', 'cdcdcdcdcdcdcdcd'],
    ['a UUID', '5b8efff7-9803-8103-d269-b633813fc60c', 'cdcdcdcdcdcdcdcd'],
    ['a parent of another form', 'ab'.repeat(16), 'cd'.repeat(8), '7uGbfsPBsXQ='],
  ])('records whose ids are %s are refused', async (_, traceId, spanId, parentSpanId = '') => {
    const { app } = ingestApp()
    const type = { 'Content-Type': 'application/json' }
    const record = {
      timeUnixNano: '1773140700000000000',
      body: { stringValue: 'x' },
      traceId,
      spanId: parentSpanId || spanId,
    }
    const logsSent = await put(
      app,
      '/v1/logs',
      JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }),
      type,
    )
    expect(logsSent.body).toMatchObject({ partialSuccess: { rejectedLogRecords: '1' } })
    const span = { traceId, spanId, parentSpanId, name: 'a', startTimeUnixNano: '1773140700000000000' }
    const spansSent = await put(
      app,
      '/v1/traces',
      JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
      type,
    )
    expect(spansSent.body).toMatchObject({
      partialSuccess: { rejectedSpans: '1', errorMessage: 'records whose trace id or span id is not hexadecimal' },
    })
    expect(await found(app, LOGS)).toEqual([])
    expect(await found(app, TRACES)).toEqual([])
  })

  test('a body that is not an export is refused', async () => {
    const { app } = ingestApp()
    for (const [body, type] of [
      ['{"resourceLogs":5}', 'application/json'],
      ['[]', 'application/json'],
      ['hello', 'application/x-protobuf'],
    ] as const) {
      const sent = await put(app, '/v1/logs', body, { 'Content-Type': type })
      expect([sent.status, sent.headers.get('content-type')]).toEqual([400, type])
      expect(sent.text).toContain('The body is not valid ')
    }
    expect((await put(app, '/v1/logs', '{}', { 'Content-Type': 'text/plain' })).status).toBe(415)
  })

  test('an empty protobuf export is fine and answered in kind', async () => {
    const { app } = ingestApp()
    const sent = await put(app, '/v1/logs', new Uint8Array(), { 'Content-Type': 'application/x-protobuf' })
    expect([sent.status, sent.text, sent.headers.get('content-type')]).toEqual([200, '', 'application/x-protobuf'])
  })
})

/** A log on a simulated disk that a test can fill up. */
class Disk implements DurableStore {
  readonly kept: Batch[] = []
  isFull = false

  append(batch: Batch): Promise<LogMark> {
    if (this.isFull) return Promise.reject(new SluiceError([durableDiagnostic('disk-full', {}, nowhere)]))
    this.kept.push(batch)
    return Promise.resolve({ logName: 'batches', id: this.kept.length })
  }

  replay(): Iterable<Logged> {
    return this.kept.map((batch, i): Logged => ({ mark: { logName: 'batches', id: i + 1 }, batch }))
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}

test('a full disk refuses with 507, nothing of the batch shows, and reads go on', async () => {
  const disk = new Disk()
  const { app } = ingestApp({}, disk)
  await put(app, '/api/ingest/logs', '{"content":"first"}')
  disk.isFull = true
  const sent = await put(app, '/api/ingest/logs', '{"content":"second"}')
  expect([sent.status, (sent.body as { code: string; type: string }).type]).toEqual([507, 'no_space'])
  expect(await found(app, LOGS, '* | fields content')).toEqual([{ content: 'first' }])
  disk.isFull = false
  expect((await put(app, '/api/ingest/logs', '{"content":"third"}')).status).toBe(200)
  expect(disk.kept.map((batch) => Buffer.from(batch.payload).toString())).toEqual([
    '{"content":"first"}',
    '{"content":"third"}',
  ])
})
