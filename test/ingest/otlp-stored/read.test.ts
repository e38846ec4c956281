import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { runToEnd } from '../../../src/base/index.ts'
import { Instant, JsonText, rowsOf, type Row } from '../../../src/data/index.ts'
import { readParsedSpans, readSpans, type TraceRequest } from '../../../src/ingest/otlp/index.ts'
import { isAttributeField, storedSpan, type StoredSpan } from '../../../src/ingest/otlp/stored/index.ts'
import { newTarget } from '../../../src/server/backends/tenant.ts'
import { decoderFor } from '../../../src/server/ingest/decoders/index.ts'
import { encodeRecords } from '../otlp-records/encode.ts'
import { countObjects, objectsOf } from '../otlp-records/rows.ts'
import { START_NS, anySpan, expectedOf, sentOf, type DrawnSpan } from './spans.ts'

function exported(span: DrawnSpan): Uint8Array<ArrayBuffer> {
  const { resource, scope, span: record } = sentOf(span, false)
  return encodeRecords('Traces', [{ resource, scopeName: scope.name, scope, records: [record] }])
}

function parsed(span: DrawnSpan): TraceRequest {
  const { resource, scope, span: record } = sentOf(span, true)
  return { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope, spans: [record] }] }] }
}

/** Stores a body and returns the row of the table `spans`, if any. */
function storedRow(format: string, body: Uint8Array): Row | undefined {
  const target = newTarget()
  runToEnd(runToEnd(decoderFor('spans', format).decode(body, START_NS, undefined)).apply(target))
  return [...target.store.table('spans').view.batchesAsStored()].flatMap((batch) => [...rowsOf(batch)])[0]
}

const read = (row: Row | undefined): StoredSpan | undefined => row && storedSpan(row)

describe('a span is read back from its row as it was sent', () => {
  test.prop([anySpan])('in JSON', (span) => {
    const { rows } = runToEnd(readParsedSpans(parsed(span)))
    expect(read(rows[0])).toEqual(expectedOf(span))
  })

  test.prop([anySpan])('in protobuf', (span) => {
    const { rows } = runToEnd(readSpans(exported(span)))
    expect(read(objectsOf(rows)[0])).toEqual(expectedOf(span))
  })

  test.prop([anySpan])('after it was stored in columns', (span) => {
    expect(read(storedRow('otlp-protobuf', exported(span)))).toEqual(expectedOf(span))
  })
})

const usual: DrawnSpan = {
  traceId: '0'.repeat(31) + '1',
  spanId: '0'.repeat(15) + '2',
  parentId: '',
  name: 'GET /pay',
  kind: 'server',
  status: 'unset',
  statusMessage: '',
  startNs: START_NS,
  durationNs: 1_500_000n,
  traceState: '',
  attributes: [
    ['http.route', { type: 'string', value: '/pay' }],
    ['http.response.status_code', { type: 'int', value: 200n }],
    ['share', { type: 'double', value: 0.5 }],
    ['cached', { type: 'bool', value: true }],
  ],
  resource: [['service.name', { type: 'string', value: 'checkout' }]],
  scope: { name: 'http', version: '1.2.0', attributes: [['lang', { type: 'string', value: 'go' }]] },
  events: [],
  links: [],
}

test('a usual span goes straight into columns, with names of attributes of its resource', () => {
  const { rows } = runToEnd(readSpans(exported(usual)))
  expect(countObjects(rows)).toBe(0)
  const row = storedRow('otlp-protobuf', exported(usual))
  expect(row?.get('resource_attributes')).toEqual(new JsonText('["service.name"]'))
  expect(row?.get('scope.version')).toBe('1.2.0')
  expect(row?.has('otlp')).toBe(false)
  expect(row?.get('otlp_shared')).toEqual(new JsonText('{"scope":[{"key":"lang","value":{"stringValue":"go"}}]}'))
  expect(read(row)).toEqual(expectedOf(usual))
})

test('a span with events, links, a trace state and whole doubles goes straight into columns', () => {
  const attributes: DrawnSpan['attributes'] = [['attempt', { type: 'int', value: 2n }]]
  const span: DrawnSpan = {
    ...usual,
    traceState: 'a=größe',
    attributes: [...usual.attributes, ['whole', { type: 'double', value: 1 }]],
    events: [{ timeNs: START_NS, name: 'retry', attributes }],
    links: [{ traceId: usual.traceId, spanId: usual.spanId, traceState: '', attributes }],
  }
  expect(countObjects(runToEnd(readSpans(exported(span))).rows)).toBe(0)
  expect(read(storedRow('otlp-protobuf', exported(span)))).toEqual(expectedOf(span))
})

test('spans that replace attributes of a resource share what is stored of it', () => {
  const long = 'x'.repeat(1000)
  const resource = { attributes: [{ key: 'a', value: { stringValue: long } }] }
  const spans = [1, 2, 3].map((n) => ({
    traceId: `0${n}`,
    spanId: `0${n}`,
    startTimeUnixNano: String(START_NS),
    attributes: [{ key: 'a', value: { intValue: n } }],
  }))
  const { rows } = runToEnd(readParsedSpans({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }))
  expect(new Set(rows.map((row) => row.get('otlp_shared'))).size).toBe(1)
  expect(rows.map((row) => row.get('a'))).toEqual([1, 2, 3])
  expect(rows.map((row) => storedSpan(row)?.resource.get('a'))).toEqual(
    Array.from({ length: 3 }, () => ({ type: 'string', value: long })),
  )
})

describe('a row that did not come by OTLP', () => {
  const row: Row = new Map<string, never>(
    Object.entries({
      _time: new Instant(START_NS),
      trace_id: 'abc',
      span_id: 'def',
      span_name: 'GET /pay',
      kind: 'odd',
      status: 'error',
      duration_seconds: 0.25,
      workload: 'checkout',
      namespace: 'shop',
      pod: 'checkout-1',
      server: 'checkout',
      'k8s.namespace.name': 'other',
      'http.status_code': 200,
      zones: new JsonText('["a",{"b":1.5}]'),
      events: 'none',
    }) as [string, never][],
  )

  test('has the resource that its declared fields stand for, and all other fields as attributes', () => {
    const string = (value: string): object => ({ type: 'string', value })
    expect(storedSpan(row)).toMatchObject({
      kind: 'unspecified',
      status: 'error',
      durationNs: 250_000_000n,
      resource: new Map([
        ['service.name', string('checkout')],
        ['k8s.namespace.name', string('other')],
        ['k8s.pod.name', string('checkout-1')],
      ]),
      attributes: new Map<string, object>([
        ['http.status_code', { type: 'int', value: 200n }],
        [
          'zones',
          {
            type: 'array',
            value: [string('a'), { type: 'map', value: new Map([['b', { type: 'double', value: 1.5 }]]) }],
          },
        ],
      ]),
      events: [],
      links: [],
    })
  })

  test('is no span without ids', () => {
    expect(storedSpan(new Map([...row, ['span_id', null]]))).toBeUndefined()
  })
})

test.prop([fc.constantFrom('status', 'content', '_time', '_time.x', 'span_name.content', 'pod', 'otlp', '')])(
  'a field of another meaning holds no attribute',
  (name) => {
    expect(isAttributeField(name)).toBe(false)
  },
)
