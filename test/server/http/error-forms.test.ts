import { expect, test } from 'vitest'
import { nowhere } from '../../../src/base/index.ts'
import { rpcStatusMessage } from '../../../src/server/errors/grpc-status.ts'
import { HttpFault, fault } from '../../../src/server/errors/http-fault.ts'
import type { IngestService } from '../../../src/server/ingest/ingest-service.ts'
import { durableDiagnostic } from '../../../src/store/durable/index.ts'
import { KEY, appOf, send, type Sent } from '../harness/harness.ts'

const full = new HttpFault(507, [durableDiagnostic('disk-full', { path: 'x' } as never, nowhere)])

/** Faults for which a body is not stored. */
const faults = {
  400: fault('bad-payload', { format: 'something', reason: 'it is not' }),
  429: fault('too-many-bodies', { limitBytes: 1 }, { 'Retry-After': '7' }),
  503: fault('busy', { reason: 'it is still starting' }, { 'Retry-After': '2' }),
  507: full,
} as const

function sent(
  error: unknown,
  path: string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const ingest: IngestService = { ingest: () => Promise.reject(error) }
  return send(appOf({ ingest }), path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': type, ...headers },
    body: '{}',
  })
}

const RETRY = 'type.googleapis.com/google.rpc.RetryInfo'

test.each([
  [400, 400, 3, null],
  [429, 429, 8, '7'],
  [503, 503, 14, '2'],
  // An exporter drops its data after a 507, although the disk may have space again later. So it gets a 503.
  [507, 503, 14, '5'],
] as const)('OTLP: %i is a Status in the encoding of the request', async (given, status, code, retryAfter) => {
  for (const path of ['/v1/logs', '/v1/traces', '/v1/metrics']) {
    const json = await sent(faults[given], path, 'application/json')
    expect([json.status, json.headers.get('content-type'), json.headers.get('retry-after')]).toEqual([
      status,
      'application/json',
      retryAfter,
    ])
    expect(json.body).toEqual({
      code,
      message: faults[given].diagnostics[0]?.message,
      details: retryAfter === null ? [] : [{ '@type': RETRY, retryDelay: `${retryAfter}s` }],
    })
    const packed = await sent(faults[given], path, 'application/x-protobuf')
    expect([packed.status, packed.headers.get('content-type'), packed.headers.get('retry-after')]).toEqual([
      status,
      'application/x-protobuf',
      retryAfter,
    ])
    const bytes = new TextEncoder().encode(packed.text)
    expect([bytes[0], bytes[1]]).toEqual([8, code])
    expect(rpcStatusMessage(bytes)).toBe(faults[given].diagnostics[0]?.message)
    expect(packed.text.includes(RETRY)).toBe(retryAfter !== null)
  }
})

test('OTLP: an unknown key is reported in the same form', async () => {
  const wrong = { Authorization: 'Bearer wrong' }
  const { status, body } = await sent(faults[400], '/v1/logs', 'application/json', wrong)
  expect([status, body]).toEqual([401, { code: 16, message: expect.stringContaining('key') as string, details: [] }])
})

test.each([
  ['/loki/api/v1/push', 'application/json'],
  ['/api/prom/push', 'application/x-protobuf'],
  ['/api/v1/write', 'application/x-protobuf'],
  ['/upload', 'application/vnd.fdo.journal'],
])('%s: a line of text', async (path, type) => {
  for (const status of [400, 429, 503, 507] as const) {
    const answer = await sent(faults[status], path, type)
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      status,
      'text/plain; charset=utf-8',
      `${faults[status].diagnostics[0]?.message}\n`,
    ])
    expect(answer.headers.get('retry-after')).toBe({ 400: null, 429: '7', 503: '2', 507: null }[status])
  }
  expect(await sent(faults[400], path, type, { Authorization: '' })).toMatchObject({ status: 401, body: undefined })
})

test.each([
  [400, 'illegal_argument_exception'],
  [429, 'es_rejected_execution_exception'],
  [503, 'cluster_block_exception'],
  [507, 'cluster_block_exception'],
] as const)('the bulk API: %i with a cause', async (status, type) => {
  const reason = faults[status].diagnostics[0]?.message
  expect(await sent(faults[status], '/_bulk', 'application/x-ndjson')).toMatchObject({
    status,
    body: { status, error: { type, reason, root_cause: [{ type, reason }] } },
  })
})

test.each([
  [400, 6],
  [429, 9],
  [503, 9],
  [507, 9],
] as const)('an event collector: %i with its number', async (status, code) => {
  expect(await sent(faults[status], '/services/collector/event', 'application/json')).toMatchObject({
    status,
    body: { text: expect.any(String) as string, code },
  })
})

test.each([400, 429, 503, 507] as const)('the intake: %i as a list of errors', async (status) => {
  expect(await sent(faults[status], '/api/v2/logs', 'application/json')).toMatchObject({
    status,
    body: { errors: [{ status: String(status), detail: faults[status].diagnostics[0]?.message }] },
  })
})
