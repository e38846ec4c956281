import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import protobuf from 'protobufjs'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'
import { answersByWorker } from '../harness/loopback.ts'

const KEY = 'key-of-a-reader'
const TRACE = '00000000000000004bf92f3577b34da6'

let server: SluiceServer

const value = (text: string): object => ({ stringValue: text })

type Headers = Readonly<Record<string, string>>

async function send(path: string, init: Omit<RequestInit, 'headers'> & { headers?: Headers } = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${KEY}`, ...init.headers }
  return server.fetch(new Request(`http://localhost${path}`, { ...init, headers }))
}

async function told(path: string): Promise<string> {
  const response = await send(path)
  return `${response.status} ${(await response.text()).trimEnd()}`
}

const resource = { attributes: [{ key: 'service.name', value: value('pay') }] }
const scope = { name: 'http', version: '1.2.0', attributes: [{ key: 'lang', value: value('go') }] }

/** The span in OTLP/JSON, as sent. */
const root = {
  traceId: TRACE,
  spanId: '00f067aa0ba902b7',
  traceState: 'a=b',
  name: 'GET /pay',
  kind: 2,
  startTimeUnixNano: '1773140400000000001',
  endTimeUnixNano: '1773140400250000000',
  attributes: [
    { key: 'http.status_code', value: { intValue: '500' } },
    { key: 'ratio', value: { doubleValue: 1 } },
  ],
  events: [
    { timeUnixNano: '1773140400100000000', name: 'retry', attributes: [{ key: 'n', value: { intValue: '1' } }] },
  ],
  links: [{ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }],
  status: { code: 2, message: 'no stock' },
}
const child = {
  traceId: TRACE,
  spanId: '00f067aa0ba902b8',
  parentSpanId: '00f067aa0ba902b7',
  name: 'charge',
  startTimeUnixNano: '1773140401000000000',
  endTimeUnixNano: '1773140401000000000',
}

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

const expected = [
  {
    resource,
    scopeSpans: [
      {
        scope,
        spans: [
          {
            ...root,
            traceId: base64(TRACE),
            spanId: base64(root.spanId),
            kind: 'SPAN_KIND_SERVER',
            links: [{ traceId: base64('ab'.repeat(16)), spanId: base64('cd'.repeat(8)) }],
            status: { code: 'STATUS_CODE_ERROR', message: 'no stock' },
          },
          {
            ...child,
            traceId: base64(TRACE),
            spanId: base64(child.spanId),
            parentSpanId: base64(child.parentSpanId),
            status: {},
          },
        ],
      },
    ],
  },
]

beforeAll(async () => {
  server = await createServer({ keys: [KEY], ...(answersByWorker ? { workers: 1 } : {}) })
  const sent = await send('/v1/traces', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [child, root] }] }] }),
  })
  expect(sent.status).toBe(200)
})
afterAll(() => server.close())

test.each(['', '/tempo'])('a trace is answered as it was sent, below %j', async (base) => {
  const answer = await send(`${base}/api/v2/traces/${TRACE}`)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toEqual({ trace: { resourceSpans: expected } })
  expect(await (await send(`${base}/api/traces/${TRACE}`)).json()).toEqual({ batches: expected })
})

test.each(['4bf92f3577b34da6', '4BF92F3577B34DA6', '04bf92f3577b34da6'])(
  'leading zeros are optional: %s',
  async (id) => {
    expect(await (await send(`/api/v2/traces/${id}`)).json()).toEqual({ trace: { resourceSpans: expected } })
  },
)

test('a range in seconds, its end included, chooses spans by their start', async () => {
  const at = async (range: string): Promise<number> => {
    const { trace } = (await (await send(`/api/v2/traces/${TRACE}?${range}`)).json()) as { trace: object }
    return JSON.stringify(trace).split('startTimeUnixNano').length - 1
  }
  expect(await at('start=1773140400&end=1773140401')).toBe(2)
  expect(await at('start=1773140401&end=1773140402')).toBe(1)
  expect(await at('start=0&end=0')).toBe(2)
  expect(await at('end=1773140399')).toBe(0)
})

describe('in protobuf', () => {
  const { root: messages } = protobuf.parse(
    `syntax = "proto3";
    message Answer { Trace trace = 1; }
    message Trace { repeated ResourceSpans batches = 1; }
    message ResourceSpans { Resource resource = 1; repeated ScopeSpans scopeSpans = 2; }
    message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
    message Resource { repeated KeyValue attributes = 1; }
    message Scope { string name = 1; string version = 2; }
    message KeyValue { string key = 1; Value value = 2; }
    message Value { oneof value { string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4; } }
    message Span { bytes traceId = 1; bytes spanId = 2; string traceState = 3; bytes parentSpanId = 4; string name = 5;
      int32 kind = 6; fixed64 startTimeUnixNano = 7; repeated KeyValue attributes = 9; Status status = 15; }
    message Status { string message = 2; int32 code = 3; }`,
  )

  const decoded = async (type: string, path: string): Promise<unknown> => {
    const answer = await send(path, { headers: { Accept: 'application/protobuf' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/protobuf'])
    const message = messages.lookupType(type)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    return message.toObject(message.decode(bytes), { longs: String, bytes: String })
  }

  test('a trace is the first field of the answer', async () => {
    const spans = [
      {
        traceId: base64(TRACE),
        spanId: base64(root.spanId),
        traceState: 'a=b',
        name: 'GET /pay',
        kind: 2,
        startTimeUnixNano: '1773140400000000001',
        attributes: root.attributes,
        status: { code: 2, message: 'no stock' },
      },
      { spanId: base64(child.spanId), parentSpanId: base64(child.parentSpanId), name: 'charge', status: {} },
    ]
    const batches = [{ resource, scopeSpans: [{ scope: { name: 'http', version: '1.2.0' }, spans }] }]
    expect(await decoded('Answer', `/api/v2/traces/${TRACE}`)).toMatchObject({ trace: { batches } })
    expect(await decoded('Trace', `/api/traces/${TRACE}`)).toMatchObject({ batches })
  })

  test('an unknown trace is an empty one', async () => {
    expect(await decoded('Answer', '/api/v2/traces/1')).toEqual({ trace: {} })
  })
})

test('an unknown trace is empty, and not found by the old path', async () => {
  expect(await told('/api/v2/traces/ff')).toBe('200 {"trace":{}}')
  expect(await told('/api/traces/ff')).toBe('404 ')
})

test.each([
  ['/api/traces/xyz', "400 trace IDs can only contain hex characters: invalid character 'x' at position 1"],
  [`/api/v2/traces/0${TRACE}`, "400 trace IDs can't be larger than 128 bits"],
  [`/api/v2/traces/${TRACE}?start=x`, '400 invalid start: strconv.ParseInt: parsing "x": invalid syntax'],
  ['/tempo/api/nope', '404 404 page not found'],
  ['/tempo/api/echo', '200 echo'],
  ['/api/echo', '200 echo'],
])('%s is answered %s', async (path, answer) => {
  expect(await told(path)).toBe(answer)
})
