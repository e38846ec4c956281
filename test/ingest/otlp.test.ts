import { describe, expect, test } from 'vitest'
import { runToEnd, present } from '../../src/base/index.ts'
import { Instant, JsonText, toText } from '../../src/data/index.ts'
import {
  encodeExportResponse,
  readLogs,
  readParsedLogs,
  readParsedSpans,
  readSpans,
} from '../../src/ingest/otlp/index.ts'
import { objectsOf } from './otlp-records/rows.ts'

const resource = {
  attributes: [
    { key: 'service.name', value: { stringValue: 'checkout-api' } },
    { key: 'k8s.namespace.name', value: { stringValue: 'shop' } },
  ],
}

/** Encodes a protobuf field with a short payload: field number and wire type, length, payload. */
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
    const { rows } = runToEnd(
      readParsedLogs({
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
      }),
    )
    expect(Object.fromEntries(present(rows[0]))).toEqual({
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

  test.each([
    [{ intValue: '42' }, '42'],
    [{ boolValue: true }, 'true'],
    [{ kvlistValue: { values: [{ key: 'a', value: { intValue: 1 } }] } }, '{"a":1}'],
  ])('a body that is no string: %j', (body, content) => {
    const { rows } = runToEnd(readParsedLogs({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ body }] }] }] }))
    expect(toText(present(rows[0]?.get('content')))).toBe(content)
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
    const { rows } = runToEnd(readLogs(Uint8Array.from(request)))
    expect(Object.fromEntries(present(objectsOf(rows)[0]))).toEqual({
      _time: new Instant(1767323045000000001n),
      level: 'warn',
      content: 'hello',
      trace_id: 'cd'.repeat(16),
    })
  })

  test('bytes that are no message are refused', () => {
    expect(() => runToEnd(readLogs(Uint8Array.from([10, 200, 1, 2])))).toThrow()
  })
})

/** Encodes a protobuf field with a payload of any length. */
function longField(id: number, payload: Uint8Array): Uint8Array {
  const length: number[] = []
  for (let left = payload.length; ; left >>>= 7) {
    length.push(left < 128 ? left : (left & 127) | 128)
    if (left < 128) break
  }
  return Buffer.concat([Buffer.from([(id << 3) | 2, ...length]), payload])
}

/** Returns an export of one resource and scope with these records. */
function exportOf(records: readonly Uint8Array[]): Uint8Array {
  return longField(1, longField(2, Buffer.concat(records.map((record) => longField(2, record)))))
}

describe('logs in protobuf', () => {
  const record = Uint8Array.from(bytesField(5, bytesField(1, text('hello'))))

  test('are read a few thousand parts at a time', () => {
    const turns = readLogs(exportOf(Array<Uint8Array>(20_000).fill(record)))
    let steps = 1
    let next = turns.next()
    for (; next.done !== true; next = turns.next()) steps++
    expect(next.value.rows.rowCount).toBe(20_000)
    expect(steps).toBeGreaterThan(8)
  })

  test.each([
    ['attributes', Buffer.alloc(40_000, Buffer.from([(6 << 3) | 2, 0]))],
    ['values in values', longField(5, longField(5, Buffer.alloc(40_000, Buffer.from([(1 << 3) | 2, 0]))))],
    ['unknown fields', Buffer.alloc(40_000, Buffer.from([4 << 3, 0]))],
  ])('a record of too many %s is left out, and the others are taken', (_, hostile) => {
    const { rows, leftOut } = runToEnd(readLogs(exportOf([record, hostile, record])))
    expect([rows.rowCount, leftOut.rejected, leftOut.errors]).toEqual([
      2,
      1,
      [{ line: 2, reason: expect.stringContaining('holds more than 16384') as string }],
    ])
  })

  test('a resource of too many attributes is refused', () => {
    const attributes = longField(1, Buffer.alloc(40_000, Buffer.from([(1 << 3) | 2, 0])))
    expect(() => runToEnd(readLogs(longField(1, attributes)))).toThrow('holds more than 16384')
  })

  test('a record of more fields than a row may have is left out', () => {
    const attribute = (i: number): number[] => [...bytesField(1, text(`k${i}`)), ...bytesField(2, [16, 1])]
    const wide = Uint8Array.from(Array.from({ length: 5000 }, (_, i) => bytesField(6, attribute(i))).flat())
    expect(runToEnd(readLogs(exportOf([wide, record])))).toMatchObject({
      leftOut: { rejected: 1 },
      rows: { rowCount: 1 },
    })
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
    const { rows, leftOut } = runToEnd(
      readParsedSpans({
        resourceSpans: [{ resource, scopeSpans: [{ spans: [span, { ...span, spanId: '' }] }] }],
      }),
    )
    expect(leftOut.rejected).toBe(1)
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
    expect(runToEnd(readSpans(new Uint8Array(0)))).toMatchObject({
      leftOut: { rejected: 0, errors: [] },
      rows: { rowCount: 0 },
    })
  })
})

test('the answer says how many were rejected', () => {
  expect(encodeExportResponse(0, '')).toHaveLength(0)
  expect([...encodeExportResponse(3, 'no id')]).toEqual([10, 9, 8, 3, 18, 5, ...text('no id')])
})
