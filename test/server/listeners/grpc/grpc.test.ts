import { once } from 'node:events'
import { connect } from 'node:http2'
// @module-tag slow
import * as grpc from '@grpc/grpc-js'
import protobuf from 'protobufjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KeyRing, createServer, type Listening, type SluiceServer } from '../../../../src/server/index.ts'
import { SALT, key } from '../../harness/harness.ts'
import { attributes, decodeAnswer, encodeMetrics, exportOf } from '../../../ingest/otlp-metrics/encode.ts'

const WRITER = 'the-key-of-a-writer'
const READER = 'the-key-of-a-reader'
const SERVICE = 'opentelemetry.proto.collector'
const NOW_NS = 1_767_225_600_000_000_000n

let server: SluiceServer
let listening: Listening
let client: grpc.Client

beforeAll(async () => {
  server = await createServer({
    keys: [WRITER, { key: READER, roles: ['read'] }],
    clock: { nowMs: () => 0, nowNs: () => NOW_NS },
    limits: { ingestBodyBytes: 1_000_000 },
  })
  listening = await server.listenOtlpGrpc({ port: 0 })
  client = clientOf(listening)
})

afterAll(async () => {
  client.close()
  await server.close()
})

function clientOf({ address }: Listening): grpc.Client {
  return new grpc.Client(address, grpc.credentials.createInsecure(), { 'grpc.default_compression_algorithm': 0 })
}

interface Call {
  readonly key?: string | undefined
  readonly options?: grpc.CallOptions
  readonly through?: grpc.Client
}

/** Sends an export like an exporter and returns the answer. Rejects with the gRPC status. */
function send(service: string, body: Uint8Array, { key = WRITER, options = {}, through = client }: Call = {}) {
  const metadata = new grpc.Metadata()
  if (key !== '') metadata.set('authorization', `Bearer ${key}`)
  const unchanged = (bytes: Buffer): Buffer => bytes
  return new Promise<Buffer>((resolve, reject) => {
    const path = `/${SERVICE}.${service}/Export`
    through.makeUnaryRequest(path, unchanged, unchanged, Buffer.from(body), metadata, options, (error, answer) =>
      error === null && answer !== undefined ? resolve(answer) : reject(error),
    )
  })
}

async function statusOf(call: Promise<unknown>): Promise<grpc.ServiceError> {
  try {
    await call
  } catch (error) {
    return error as grpc.ServiceError
  }
  throw new Error('it succeeded')
}

const METRICS = 'metrics.v1.MetricsService'
const point = { timeUnixNano: String(NOW_NS), attributes: attributes({ a: 'b' }) }
const metrics = encodeMetrics(exportOf([{ name: 'x', gauge: { dataPoints: [{ ...point, asInt: '7' }, point] } }]))

async function ask(path: string, body?: object): Promise<unknown> {
  const response = await server.fetch(
    new Request(`http://x${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${WRITER}`, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  )
  return response.json()
}

describe('the three services', () => {
  test('metrics are stored, and what is refused is reported', async () => {
    expect(decodeAnswer(await send(METRICS, metrics)).partialSuccess).toEqual({
      rejectedDataPoints: '1',
      errorMessage: 'it has no value',
    })
    expect(await ask(`/api/v1/query?query=x&time=${NOW_NS / 1_000_000_000n}`)).toMatchObject({
      data: { result: [{ metric: { a: 'b' }, value: [1767225600, '7'] }] },
    })
  })

  test('logs and traces', async () => {
    // An export with one record, whose time is `NOW_NS` and whose body is a string.
    const { Writer } = protobuf
    const low = Number(NOW_NS & 0xffff_ffffn)
    const high = Number(NOW_NS >> 32n)
    const time = (writer: protobuf.Writer, tag: number) => writer.uint32(tag).fixed32(low).fixed32(high)
    const wrapped = (record: Uint8Array): Uint8Array => {
      const scoped = Writer.create().uint32(18).bytes(record).finish()
      return Writer.create().uint32(10).bytes(Writer.create().uint32(18).bytes(scoped).finish()).finish()
    }
    const log = time(Writer.create(), 9)
      .uint32(42)
      .bytes(Writer.create().uint32(10).string('by gRPC').finish())
      .finish()
    const ids = Writer.create().uint32(10).bytes(Buffer.alloc(16, 1)).uint32(18).bytes(Buffer.alloc(8, 2))
    const span = time(time(ids.uint32(42).string('a span'), 57), 65).finish()
    expect(await send('logs.v1.LogsService', wrapped(log))).toHaveLength(0)
    expect(await send('trace.v1.TraceService', wrapped(span))).toHaveLength(0)
    const range = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' }
    expect(await ask('/api/logs/v2/search', { ...range, query: '"by gRPC" | fields content' })).toEqual([
      { content: 'by gRPC' },
    ])
    expect(await ask('/api/traces/v2/search', { ...range, query: '* | fields span_name' })).toEqual([
      { span_name: 'a span' },
    ])
  })

  test('gzip', async () => {
    const packing = new grpc.Client(listening.address, grpc.credentials.createInsecure(), {
      'grpc.default_compression_algorithm': 2,
    })
    expect(decodeAnswer(await send(METRICS, metrics, { through: packing })).partialSuccess).toMatchObject({
      rejectedDataPoints: '1',
    })
    packing.close()
  })
})

describe('what is refused', () => {
  test.each([
    ['no key', '', grpc.status.UNAUTHENTICATED, /Authorization/],
    ['an unknown key', 'x', grpc.status.UNAUTHENTICATED, /not known/],
    ['a key that may not write', READER, grpc.status.PERMISSION_DENIED, /role `write`/],
  ])('%s', async (_, key, code, details) => {
    expect(await statusOf(send(METRICS, metrics, { key }))).toMatchObject({
      code,
      details: expect.stringMatching(details),
    })
  })

  test('bytes that are no export, and more than a message may have', async () => {
    expect(await statusOf(send(METRICS, Uint8Array.of(10, 200, 1)))).toMatchObject({
      code: grpc.status.INVALID_ARGUMENT,
    })
    expect(await statusOf(send(METRICS, new Uint8Array(2_000_000)))).toMatchObject({
      code: grpc.status.RESOURCE_EXHAUSTED,
    })
  })

  test('an unknown service is UNIMPLEMENTED', async () => {
    expect(await statusOf(send('profiles.v1.ProfilesService', metrics))).toMatchObject({
      code: grpc.status.UNIMPLEMENTED,
    })
  })

  test('a deadline in the past is DEADLINE_EXCEEDED', async () => {
    const options = { deadline: Date.now() - 1000 }
    expect(await statusOf(send(METRICS, metrics, { options }))).toMatchObject({ code: grpc.status.DEADLINE_EXCEEDED })
  })
})

test('a server that is busy says when to come again, and one that stops answers what it has', async () => {
  let isReady = false
  let closed: Promise<void> | undefined
  const ring = new KeyRing(SALT, [key(WRITER)])
  const find = (given: string) => {
    // The server starts closing while the call is being authenticated.
    if (isReady && given !== '') closed ??= starting.close()
    return ring.find(given)
  }
  const starting = await createServer({ keys: { size: 1, find, records: () => [] }, isReady: () => isReady })
  const through = clientOf(await starting.listenOtlpGrpc({ port: 0 }))
  const busy = await statusOf(send(METRICS, metrics, { through }))
  expect(busy.code).toBe(grpc.status.UNAVAILABLE)
  const [details] = busy.metadata.get('grpc-status-details-bin')
  expect(String(details)).toContain('type.googleapis.com/google.rpc.RetryInfo')
  isReady = true
  expect(await send(METRICS, metrics, { through })).toBeInstanceOf(Buffer)
  await closed
  expect(await statusOf(send(METRICS, metrics, { through }))).toMatchObject({ code: grpc.status.UNAVAILABLE })
  through.close()
})

test('calls on connections that the system had before the end are answered', async () => {
  const starting = await createServer({ keys: [WRITER] })
  const { port } = await starting.listenOtlpGrpc({ port: 0 })
  const message = Buffer.from(metrics)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  const calls = Array.from({ length: 30 }, async () => {
    const session = connect(`http://127.0.0.1:${port}`)
    try {
      const call = session.request({
        ':method': 'POST',
        ':path': `/${SERVICE}.${METRICS}/Export`,
        'content-type': 'application/grpc',
        te: 'trailers',
        authorization: `Bearer ${WRITER}`,
      })
      call.end(Buffer.concat([head, message]))
      call.resume()
      const [trailers] = (await Promise.race([once(call, 'trailers'), once(session, 'close')])) as [object?]
      return trailers
    } finally {
      session.destroy()
    }
  })
  const closed = starting.close()
  expect(await Promise.all(calls)).toEqual(calls.map(() => expect.objectContaining({ 'grpc-status': '0' })))
  await closed
})
