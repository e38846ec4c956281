import { describe, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { Instant, JsonText } from '../../src/data/index.ts'
import {
  decodeLogsRequest,
  decodeTraceRequest,
  encodeExportResponse,
  logRecordsOf,
  spansOf,
} from '../../src/ingest/otlp/index.ts'

const resource = {
  attributes: [
    { key: 'service.name', value: { stringValue: 'checkout-api' } },
    { key: 'k8s.namespace.name', value: { stringValue: 'shop' } },
  ],
}

/** Field number and wire type, then the payload: enough protobuf to write a message by hand. */
function bytesField(id: number, payload: readonly number[]): number[] {
  return [(id << 3) | 2, payload.length, ...payload]
}

const text = (value: string): number[] => [...Buffer.from(value)]
const fixed64 = (id: number, value: bigint): number[] => [
  (id << 3) | 1,
  ...new Uint8Array(new BigUint64Array([value]).buffer),
]

describe('logs', () => {
  test('a JSON export: attributes, level, ids, body', () => {
    const [row] = logRecordsOf({
      resourceLogs: [
        {
          resource,
          scopeLogs: [
            {
              scope: { name: 'http' },
              logRecords: [
                {
                  timeUnixNano: '1767323045000000001',
                  severityNumber: 17,
                  body: { stringValue: 'timeout' },
                  traceId: 'AB'.repeat(16),
                  attributes: [
                    { key: 'n', value: { intValue: '9007199254740993' } },
                    { key: 'm', value: { kvlistValue: { values: [{ key: 'x', value: { boolValue: true } }] } } },
                    { key: 'l', value: { arrayValue: { values: [{ intValue: 1 }, { stringValue: 'a' }] } } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    })
    expect(Object.fromEntries(present(row))).toEqual({
      workload: 'checkout-api',
      'service.name': 'checkout-api',
      namespace: 'shop',
      'k8s.namespace.name': 'shop',
      'scope.name': 'http',
      n: 9007199254740993n,
      'm.x': true,
      l: new JsonText('[1,"a"]'),
      _time: new Instant(1767323045000000001n),
      level: 'error',
      trace_id: 'ab'.repeat(16),
      content: 'timeout',
    })
  })

  test('a protobuf export written by hand', () => {
    const body = bytesField(5, bytesField(1, text('hello')))
    const record = [
      ...fixed64(1, 1767323045000000001n),
      ...bytesField(3, text('WARN')),
      ...body,
      ...bytesField(9, Array<number>(16).fill(0xcd)),
    ]
    const request = bytesField(1, bytesField(2, bytesField(2, record)))
    const [row] = logRecordsOf(decodeLogsRequest(Uint8Array.from(request)))
    expect(Object.fromEntries(present(row))).toEqual({
      _time: new Instant(1767323045000000001n),
      level: 'warn',
      content: 'hello',
      trace_id: 'cd'.repeat(16),
    })
  })

  test('bytes that are no message are refused', () => {
    expect(() => decodeLogsRequest(Uint8Array.from([10, 200, 1, 2]))).toThrow()
  })
})

describe('spans', () => {
  test('a server span, and one without an id is rejected', () => {
    const span = {
      traceId: '1'.repeat(32),
      spanId: '2'.repeat(16),
      name: 'POST /pay',
      kind: 2,
      startTimeUnixNano: '1767323045000000000',
      endTimeUnixNano: '1767323045250000000',
      status: { code: 2 },
      attributes: [{ key: 'http.response.status_code', value: { intValue: '503' } }],
    }
    const { rows, rejected } = spansOf({
      resourceSpans: [{ resource, scopeSpans: [{ spans: [span, { ...span, spanId: '' }] }] }],
    })
    expect(rejected).toBe(1)
    expect(Object.fromEntries(present(rows[0]))).toMatchObject({
      span_name: 'POST /pay',
      kind: 'server',
      status: 'error',
      status_code: '503',
      duration_seconds: 0.25,
      server: 'checkout-api',
      server_namespace: 'shop',
      protocol_type: 'http',
    })
    expect(rows[0]?.get('http.response.status_code')).toBe(503)
  })

  test('an empty protobuf export has no spans', () => {
    expect(spansOf(decodeTraceRequest(new Uint8Array(0)))).toEqual({ rows: [], rejected: 0 })
  })
})

test('the answer says how many were rejected', () => {
  expect(encodeExportResponse(0, '')).toHaveLength(0)
  expect([...encodeExportResponse(3, 'no id')]).toEqual([10, 9, 8, 3, 18, 5, ...text('no id')])
})
