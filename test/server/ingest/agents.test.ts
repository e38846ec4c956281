import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { defaultServerLimits, replayBatches } from '../../../src/server/index.ts'
import { openBatches } from '../../store/durable/open-batches.ts'
import { KEY, send, type Sent } from '../harness/harness.ts'
import { found, ingestApp } from './app.ts'

const LOGS = '/api/logs/v2/search'

type AppOf = ReturnType<typeof ingestApp>['app']

function put(
  app: AppOf,
  path: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<Sent> {
  return send(app, path, {
    method,
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
}

const basic = (text: string): string => Buffer.from(text).toString('base64')

describe('the bulk API', () => {
  const ndjson = { 'Content-Type': 'application/x-ndjson', Authorization: `ApiKey ${basic(`id:${KEY}`)}` }
  const lines = (...values: readonly unknown[]): string =>
    values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n') + '\n'

  test('create and index are stored, with index and id as fields; each action has its answer', async () => {
    const { app } = ingestApp()
    const body = lines(
      { create: { _index: 'logs-app' } },
      { '@timestamp': '2026-01-02T03:04:05.123Z', message: 'one', log: { level: 'info' } },
      { index: { _id: 'a1' } },
      { '@timestamp': 1767225600123, message: 'two' },
    )
    const sent = await put(app, '/fallback/_bulk', gzipSync(body), { ...ndjson, 'Content-Encoding': 'gzip' })
    expect(sent.status).toBe(200)
    expect(sent.headers.get('x-elastic-product')).toBe('Elasticsearch')
    expect(sent.body).toEqual({
      took: 0,
      errors: false,
      items: [
        { create: { _index: 'logs-app', status: 201, result: 'created' } },
        { index: { status: 201, result: 'created' } },
      ],
    })
    expect(await found(app, LOGS, '* | sort by (_time)')).toMatchObject([
      { _time: '2026-01-01T00:00:00.123000000Z', content: 'two', _index: 'fallback', _id: 'a1' },
      { _time: '2026-01-02T03:04:05.123000000Z', content: 'one', _index: 'logs-app', level: 'info' },
    ])
  })

  test('what is no document, and actions that change documents, are refused one by one', async () => {
    const { app } = ingestApp()
    const body = lines(
      { create: {} },
      '{"broken":',
      { delete: { _id: 'x' } },
      { update: { _id: 'x' } },
      { doc: { a: 1 } },
      { create: {} },
      { message: 'good' },
    )
    const sent = await put(app, '/elasticsearch/_bulk', body, ndjson)
    expect(sent.body).toMatchObject({
      errors: true,
      items: [
        { create: { status: 400, error: { type: 'document_parsing_exception' } } },
        { delete: { status: 400, error: { reason: 'documents are only added here, by create or index' } } },
        { update: { status: 400 } },
        { create: { status: 201 } },
      ],
    })
    expect(await found(app, LOGS, '* | fields content')).toEqual([{ content: 'good' }])
  })

  test('where nothing can be stored each action still has its answer', async () => {
    const { app } = ingestApp()
    const sent = await put(app, '/_bulk', lines({ create: {} }, '[1]', { delete: { _id: 'x' } }), ndjson)
    expect(sent.body).toMatchObject({ errors: true, items: [{ create: { status: 400 } }, { delete: { status: 400 } }] })
    expect(await found(app, LOGS)).toEqual([])
  })

  test.each([
    ['', 'it has no action'],
    ['{"create":{}}\n', 'the document of the action in line 1 is missing'],
    ['{"message":"x"}\n', 'line 1 is not an action'],
    ['{"create":{}}\n{"a":1}\nnonsense\n{}\n', 'line 3 should be an action: not JSON'],
  ])('a body that is no bulk request, %j, is refused whole, in the form of the protocol', async (body, reason) => {
    const { app } = ingestApp()
    const sent = await put(app, '/_bulk', body, ndjson)
    expect([sent.status, sent.headers.get('x-elastic-product')]).toEqual([400, 'Elasticsearch'])
    expect(sent.body).toMatchObject({
      status: 400,
      error: { type: 'illegal_argument_exception', reason: expect.stringContaining(reason) as string },
      code: 'server/bad-payload',
    })
    expect(await found(app, LOGS)).toEqual([])
  })

  test('agents find what they ask for first', async () => {
    const { app } = ingestApp()
    for (const prefix of ['', '/elasticsearch', '/insert/elasticsearch']) {
      const get = (path: string, method = 'GET'): Promise<Sent> =>
        send(app, `${prefix}${path}`, { method, headers: { Authorization: `Basic ${basic(`elastic:${KEY}`)}` } })
      expect((await get('/')).body).toMatchObject({ version: { number: expect.stringMatching(/^8\./) as string } })
      const head = await get('/', 'HEAD')
      expect([head.status, head.headers.get('x-elastic-product')]).toEqual([200, 'Elasticsearch'])
      expect((await get('/_license')).body).toMatchObject({ license: { status: 'active' } })
      expect((await get('/_cluster/health')).status).toBe(200)
      for (const path of ['/_index_template/filebeat', '/_ilm/policy/filebeat', '/_ingest/pipeline/x', '/_nodes/http'])
        expect((await get(path)).body, path).toEqual({})
      const made = await put(app, `${prefix}/_index_template/x`, '{"index_patterns":["x"]}', {}, 'PUT')
      expect(made.body).toEqual({ acknowledged: true })
    }
    const refused = await send(app, '/_license', {})
    expect(refused.body).toMatchObject({ status: 401, error: { type: 'security_exception' } })
  })

  test('a hundred thousand actions are answered one by one, however many different answers there are', async () => {
    const { app } = ingestApp()
    const many = Array.from({ length: 100_000 }, (_, i) => `{"create":{"_index":"i${i % 1000}"}}\n{"a":${i}}\n`).join(
      '',
    )
    const { errors, items } = (await put(app, '/_bulk', many, ndjson)).body as {
      errors: boolean
      items: readonly Readonly<Record<string, { status: number }>>[]
    }
    expect([errors, items.length]).toEqual([false, 100_000])
    expect(items.every(({ create }) => create?.status === 201)).toBe(true)
    expect(await found(app, LOGS, '* | stats count() n, count_uniq(_index) i')).toEqual([{ n: 100_000, i: 1000 }])
  })
})

describe('an event collector', () => {
  const token = { Authorization: `Splunk ${KEY}` }
  const EVENT = '/services/collector/event'

  test('events one behind another, with exact times, fields and what is said of them', async () => {
    const { app } = ingestApp()
    const body =
      '{"time":1767225601.123456789,"host":"web-1","source":"/var/log/app.log","sourcetype":"app","index":"main","event":"hello","fields":{"region":"eu"}}' +
      '{"time":"1767225602.5","event":{"message":"second","level":"error","host":"inner"},"host":"outer"}\n\n' +
      '{"event":{"message":"third"}}'
    const sent = await put(app, EVENT, body, token)
    expect([sent.status, sent.body]).toEqual([200, { text: 'Success', code: 0 }])
    expect(await found(app, LOGS, '* | sort by (_time)')).toMatchObject([
      { content: 'third', _time: '2026-01-01T00:00:00.000000000Z' },
      {
        _time: '2026-01-01T00:00:01.123456789Z',
        content: 'hello',
        host: 'web-1',
        source: '/var/log/app.log',
        sourcetype: 'app',
        index: 'main',
        region: 'eu',
      },
      {
        _time: '2026-01-01T00:00:02.500000000Z',
        content: 'second',
        level: 'error',
        host: 'inner',
        'metadata.host': 'outer',
      },
    ])
  })

  test.each([
    ['', 5, 'No data', undefined],
    ['{"time":1}', 12, 'Event field is required', 0],
    ['{"event":""}', 13, 'Event field cannot be blank', 0],
    ['{"event":"a"}{"event":', 6, 'Invalid data format', 1],
    ['{"event":"a"}{"event":"b"}{"events":"c"}', 12, 'Event field is required', 2],
    ['nonsense', 6, 'Invalid data format', 0],
  ])('%j is refused with the number %d; events before it are stored', async (body, code, text, at) => {
    const { app } = ingestApp()
    const sent = await put(app, EVENT, body, token)
    expect(sent.status).toBe(400)
    expect(sent.body).toMatchObject({ code, text, ...(at === undefined ? {} : { 'invalid-event-number': at }) })
    expect(await found(app, LOGS)).toHaveLength(at ?? 0)
  })

  test('lines of text, with what the address says of them', async () => {
    const { app } = ingestApp()
    const raw = '/services/collector/raw/1.0?host=h&sourcetype=syslog&index=os'
    const sent = await put(app, raw, '2026-01-05T10:00:00Z ERROR broken\nanother line\n', token)
    expect(sent.body).toEqual({ text: 'Success', code: 0 })
    const rows = await found(app, LOGS, '* host:h sourcetype:syslog index:os')
    expect(rows).toContainEqual(expect.objectContaining({ _time: '2026-01-05T10:00:00.000000000Z', level: 'error' }))
  })

  test('a client with a channel can ask whether its acknowledged events are stored', async () => {
    const { app } = ingestApp()
    const channel = { ...token, 'X-Splunk-Request-Channel': '0aeeac95-ac74-4aa9-b30d-6c4c0ac581ba' }
    const { ackId } = (await put(app, EVENT, '{"event":"a"}', channel)).body as { ackId: number }
    const asked = await put(app, '/services/collector/ack', JSON.stringify({ acks: [ackId, ackId + 1e9] }), channel)
    expect(asked.body).toEqual({ acks: { [ackId]: true, [ackId + 1e9]: false } })
  })

  test('without a token, with a wrong one, and its health', async () => {
    const { app } = ingestApp()
    expect((await put(app, EVENT, '{"event":"a"}', { Authorization: '' })).body).toMatchObject({ code: 2 })
    const wrong = await put(app, EVENT, '{"event":"a"}', { Authorization: 'Splunk x' })
    expect(wrong.body).toMatchObject({ code: 4, text: 'Invalid token', message: expect.any(String) as string })
    expect((await send(app, '/services/collector/health', { headers: token })).body).toMatchObject({ code: 17 })
  })
})

describe('an intake of logs', () => {
  const key = { 'DD-API-KEY': KEY, Authorization: '' }

  test('a list, with tags as fields and the status as level', async () => {
    const { app } = ingestApp()
    const logs = [
      {
        message: 'paid',
        ddsource: 'node',
        ddtags: 'env:prod,version:1.2, team:pay ,plain',
        hostname: 'i-1',
        service: 'payments',
        status: 'warn',
        timestamp: 1767225601123,
      },
      { message: 'one more', status: 200 },
    ]
    const sent = await put(app, '/api/v2/logs?ddsource=lambda&service=x', JSON.stringify(logs), key)
    expect([sent.status, sent.body]).toEqual([202, {}])
    expect(await found(app, LOGS, '* | sort by (_time)')).toMatchObject([
      { content: 'one more', status: 200, ddsource: 'lambda', service: 'x' },
      {
        _time: '2026-01-01T00:00:01.123000000Z',
        content: 'paid',
        level: 'warn',
        service: 'payments',
        hostname: 'i-1',
        env: 'prod',
        version: '1.2',
        team: 'pay',
        ddtags: 'env:prod,version:1.2, team:pay ,plain',
      },
    ])
  })

  test('one log, and an empty one by which agents look whether anybody is there', async () => {
    const { app } = ingestApp()
    expect((await put(app, '/v1/input', '{"message":"alone"}', key)).status).toBe(202)
    expect((await put(app, '/api/v2/logs', '{}', key)).body).toEqual({})
    expect(await found(app, LOGS)).toHaveLength(1)
    expect((await send(app, '/api/v1/validate', { headers: { 'DD-API-KEY': KEY } })).body).toEqual({ valid: true })
    const refused = await put(app, '/api/v2/logs', '[{"message":"a"},7]', key)
    expect([refused.status, refused.body]).toEqual([202, { rejected: 1, errors: ['not a JSON object'] }])
    expect((await put(app, '/api/v2/logs', 'x', key)).body).toMatchObject({
      errors: [{ status: '400', title: 'invalid_request', detail: expect.any(String) as string }],
    })
  })
})

describe('JSON lines with fields named in the address', () => {
  test('time, text, and fields more and fewer', async () => {
    const { app } = ingestApp()
    const path =
      '/insert/jsonline?_time_field=when&_msg_field=what&_stream_fields=host&ignore_fields=secret,tmp.*&extra_fields=env=prod,host=h2'
    const sent = await put(
      app,
      path,
      '{"when":"2026-01-03T00:00:00Z","what":"hi","host":"h1","secret":"s","tmp":{"a":1},"n":1}\n{"what":"ho"}\n',
      { 'Content-Type': 'application/stream+json' },
    )
    expect(sent.body).toEqual({ accepted: 2, rejected: 0, errors: [], timelessRecords: 1 })
    expect(await found(app, LOGS, '* | sort by (_time)')).toEqual([
      { _time: '2026-01-01T00:00:00.000000000Z', content: 'ho', env: 'prod', host: 'h2', _stream: '{host="h2"}' },
      { _time: '2026-01-03T00:00:00.000000000Z', content: 'hi', host: 'h2', n: 1, env: 'prod', _stream: '{host="h2"}' },
    ])
    expect(await found(app, LOGS, '* | stats by (_stream) count() as n')).toEqual([{ _stream: '{host="h2"}', n: 2 }])
  })

  test('the same said in headers; a list that cannot be read is refused', async () => {
    const { app } = ingestApp()
    const headers = { 'VL-Msg-Field': 'a', 'VL-Extra-Fields': 'k=v' }
    await put(app, '/insert/jsonline', '{"a":"text"}', headers)
    expect(await found(app, LOGS, '* | fields content, k')).toEqual([{ content: 'text', k: 'v' }])
    expect((await put(app, '/insert/jsonline?extra_fields=novalue', '{"a":1}')).status).toBe(400)
  })
})

/** Returns an entry in the journal export format: strings as lines, bytes with their length. */
function entry(fields: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const parts = Object.entries(fields).map(([name, value]) => {
    if (typeof value === 'string') return Buffer.from(`${name}=${value}\n`)
    const length = Buffer.alloc(8)
    length.writeBigUInt64LE(BigInt(value.length))
    return Buffer.concat([Buffer.from(`${name}\n`), length, value, Buffer.from('\n')])
  })
  return Buffer.concat([...parts, Buffer.from('\n')])
}

describe('an upload of a journal', () => {
  const type = { 'Content-Type': 'application/vnd.fdo.journal', Authorization: `Basic ${basic(`x:${KEY}`)}` }

  test('entries with texts and bytes', async () => {
    const { app } = ingestApp()
    const body = Buffer.concat([
      entry({
        __CURSOR: 's=1',
        __REALTIME_TIMESTAMP: '1767225601123456',
        MESSAGE: 'started',
        PRIORITY: '6',
        _SYSTEMD_UNIT: 'ssh.service',
      }),
      entry({ __REALTIME_TIMESTAMP: '1767225602000000', MESSAGE: Buffer.from('two\n\nlines=1'), PRIORITY: '3' }),
    ])
    const sent = await put(app, '/upload', body, type)
    expect([sent.status, sent.text]).toEqual([202, 'OK.\n'])
    const rows = await found(app, LOGS, '* | sort by (__REALTIME_TIMESTAMP)')
    expect(rows).toMatchObject([{ _SYSTEMD_UNIT: 'ssh.service' }, {}])
    expect(JSON.stringify(rows[1])).toContain('two\\n\\nlines=1')
  })

  test('a body of any length is stored part by part', async () => {
    const limits = { ...defaultServerLimits, ingestBodyBytes: 64 * 1024, ingestBytes: 512 * 1024 }
    const { app } = ingestApp({ limits })
    const one = (i: number): Buffer =>
      entry({ __REALTIME_TIMESTAMP: String(1767225600000000 + i), N: String(i), TEXT: Buffer.alloc(500, 'x\n') })
    const body = Buffer.concat(Array.from({ length: 5000 }, (_, i) => one(i)))
    expect(body.length).toBeGreaterThan(limits.ingestBytes)
    const step = Math.ceil(body.length / 100)
    const sent = await app.fetch(
      new Request('http://localhost/upload', {
        method: 'POST',
        headers: type,
        body: ReadableStream.from(Array.from({ length: 100 }, (_, i) => body.subarray(i * step, (i + 1) * step))),
        duplex: 'half',
      }),
    )
    expect(sent.status).toBe(202)
    expect((await put(app, '/upload', gzipSync(body), { ...type, 'Content-Encoding': 'gzip' })).status).toBe(202)
    expect(await found(app, LOGS, '* | stats count() n, count_uniq(N) u')).toEqual([{ n: 10_000, u: 5000 }])
    const long = await put(app, '/upload', entry({ TEXT: Buffer.alloc(200_000) }).subarray(0, 150_000), type)
    expect(long.status).toBe(413)
  })

  test.each([
    [
      'a length of 4 GiB',
      Buffer.concat([Buffer.from('A\n'), Buffer.from([0, 0, 0, 0, 1, 0, 0, 0]), Buffer.from('x\n\n')]),
      'is 4294967296 bytes',
    ],
    [
      'a length beyond the end',
      Buffer.concat([Buffer.from('A\n'), Buffer.from([99, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('x\n\n')]),
      'does not end',
    ],
    ['a name without an end', Buffer.alloc(5000, 'A'), 'longer than 1024 bytes'],
    ['a text that is cut', Buffer.from('A=b\nC=d'), 'does not end'],
    ['no name', Buffer.from('=b\n\n'), 'is empty'],
  ])('%s is refused', async (_, body, reason) => {
    const { app } = ingestApp()
    const sent = await put(app, '/upload', body, type)
    expect(sent.status).toBe(400)
    expect(sent.text).toContain(reason)
    expect(await found(app, LOGS)).toEqual([])
  })
})

test('replaying the log gives the same rows that agents sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-agents-'))
  try {
    const log = await openBatches(folder)
    const first = ingestApp({}, log)
    await put(first.app, '/i/_bulk', '{"create":{"_id":"1"}}\n{"message":"a"}\n{"delete":{}}\n')
    await put(first.app, '/services/collector/event?host=h', '{"event":"b","time":1767225601.5}{"event":')
    await put(first.app, '/services/collector/raw?source=s', 'c\nd')
    await put(first.app, '/api/v2/logs', '[{"message":"e","ddtags":"k:v"}]')
    await put(first.app, '/insert/jsonline?_msg_field=t&extra_fields=x=y&ignore_fields=z', '{"t":"f","z":1}')
    await put(first.app, '/upload', entry({ MESSAGE: 'g' }), { 'Content-Type': 'application/vnd.fdo.journal' })
    await log.close()
    const again = await openBatches(folder)
    const second = ingestApp()
    const { rows } = await replayBatches(again, (id) => second.tenants.get(id))
    await again.close()
    expect(rows).toBe(7)
    expect(await found(second.app, LOGS)).toEqual(await found(first.app, LOGS))
    expect(await found(second.app, LOGS)).toHaveLength(7)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a body that is no journal is refused by its beginning, however long it would be', async () => {
  const { app } = ingestApp()
  let pulledMib = 0
  const zeros = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulledMib++
      controller.enqueue(new Uint8Array(1024 * 1024))
    },
  })
  const init = { method: 'POST', headers: { Authorization: `Bearer ${KEY}` }, body: zeros, duplex: 'half' } as const
  const { status, text } = await send(app, '/upload', init)
  expect(status).toBe(400)
  expect(text).toContain('the name of a field is longer than')
  expect(pulledMib).toBeLessThan(64)
})
