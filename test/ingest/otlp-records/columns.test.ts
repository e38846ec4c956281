// @module-tag slow
import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { runToEnd } from '../../../src/base/index.ts'
import { Instant, rowsOf, toText, type Value } from '../../../src/data/index.ts'
import { readLogs, readSpans } from '../../../src/ingest/otlp/index.ts'
import { decoderFor } from '../../../src/server/ingest/decoders/index.ts'
import { recordBatch } from '../../../src/server/ingest/decoders/record-batch.ts'
import type { IngestTarget } from '../../../src/server/ingest/decoder.ts'
import { newTarget } from '../../../src/server/backends/tenant.ts'
import type { RecordOptions } from '../../../src/store/index.ts'
import { encodeRecords, type RecordsOfScope } from './encode.ts'
import { countObjects, objectsOf } from './rows.ts'

const START_NS = 1_767_225_600_000_000_000n

const text = fc.constantFrom('', 'a', 'GET /pay', 'größer', '\u{1f600}', 'x'.repeat(200), 'ERROR', '17')
const bytes = (lengths: readonly number[]) =>
  fc.constantFrom(...lengths).chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
const scalar = fc.oneof(
  { weight: 4, arbitrary: text.map((stringValue) => ({ stringValue })) },
  { weight: 1, arbitrary: fc.boolean().map((boolValue) => ({ boolValue })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        '0',
        '1',
        '127',
        '128',
        '500',
        '-1',
        '9007199254740992',
        '9223372036854775807',
        '-9223372036854775808',
      )
      .map((intValue) => ({ intValue })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, -0, 1.5, NaN, Infinity, 1e300).map((doubleValue) => ({ doubleValue })),
  },
)
const nested = fc.constantFrom<object>(
  {},
  { arrayValue: { values: [{ intValue: 1 }, { stringValue: 'a' }] } },
  { kvlistValue: { values: [{ key: 'x', value: { stringValue: 'y' } }] } },
  { bytesValue: new Uint8Array([1, 2, 255]) },
)
const value = fc.oneof({ weight: 30, arbitrary: scalar }, { weight: 1, arbitrary: nested })
const usual = ['http.route', 'http.response.status_code', 'rpc.system', 'db.system', 'peer.service', 'n', 'größe']
/** Names that equal an existing field or an alias of one. */
const unusual = [
  '',
  'level',
  'trace_id',
  'timestamp',
  'msg',
  'severity',
  'workload',
  'kind',
  '_time',
  'scope.name',
  'time',
]
const attribute = fc.record({
  key: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...unusual) },
  ),
  value,
})
const attributes = fc.uniqueArray(attribute, { maxLength: 6, selector: ({ key }) => key })
const time = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt({ min: 0n, max: 10n ** 12n }).map((ns) => String(START_NS + ns)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('0', '1', '4503599627370496', '9223372036854775808', '18446744073709551615'),
  },
)
const id = bytes([0, 8, 8, 16, 16, 16, 40])

const logRecord = fc.record(
  {
    timeUnixNano: time,
    observedTimeUnixNano: time,
    severityNumber: fc.constantFrom(0, 1, 9, 17, 24, 25, 200),
    severityText: fc.constantFrom('', 'INFO', ' Warning ', 'error', 'größer', 'E'),
    body: value,
    attributes,
    droppedAttributesCount: fc.constantFrom(0, 1),
    flags: fc.constantFrom(0, 1),
    traceId: id,
    spanId: id,
    eventName: fc.constantFrom('', 'login'),
  },
  { requiredKeys: [] },
)
const span = fc.record(
  {
    traceId: bytes([16, 16, 16, 0]),
    spanId: bytes([8, 8, 8, 0]),
    parentSpanId: bytes([0, 8]),
    traceState: fc.constantFrom('', 'a=b'),
    name: text,
    kind: fc.constantFrom(0, 1, 2, 3, 4, 5, 9),
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes,
    events: fc.constantFrom([], [{ name: 'e' }]),
    links: fc.constantFrom([], [], [{ spanId: new Uint8Array(8).fill(1) }]),
    status: fc.record({ code: fc.constantFrom(0, 1, 2, 7), message: text }, { requiredKeys: [] }),
    flags: fc.constantFrom(0, 1, 257),
  },
  { requiredKeys: ['traceId', 'spanId', 'startTimeUnixNano'] },
)
const resource = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom(
      'service.name',
      'service.namespace',
      'k8s.pod.name',
      'rpc.system',
      'http.host',
      'timestamp',
      'n',
    ),
    value,
  }),
  { maxLength: 4, selector: ({ key }) => key },
)

function exportOf(record: fc.Arbitrary<object>): fc.Arbitrary<readonly RecordsOfScope[]> {
  const scope = fc.record({
    resource,
    scopeName: fc.constantFrom('', 'http'),
    scope: fc.constantFrom({}, { version: '1.2.0' }, { attributes: [{ key: 'lang', value: { stringValue: 'go' } }] }),
    records: fc.array(record, { maxLength: 8 }),
  })
  return fc.array(scope, { maxLength: 3 })
}

const options = fc.constantFrom<RecordOptions | undefined>(
  undefined,
  undefined,
  { timeFields: ['n'] },
  { extraFields: { n: 'said' } },
  { streamFields: ['workload'] },
)

function plain(each: Value): string {
  return each instanceof Instant ? `at ${each.ns}` : `${typeof each} ${toText(each)}`
}

/** Returns everything that a target stores, row by row as stored. */
function storedOf(target: IngestTarget, table: string): object[] {
  return [...target.store.table(table).view.batchesAsStored()].flatMap((batch) =>
    Array.from(rowsOf(batch), (row) =>
      Object.fromEntries([...row].flatMap(([name, each]) => (each === null ? [] : [[name, plain(each)] as const]))),
    ),
  )
}

const signals = [
  ['logs', 'Logs', readLogs, logRecord as fc.Arbitrary<object>],
  ['spans', 'Traces', readSpans, span as fc.Arbitrary<object>],
] as const

describe.each(signals)('%s', (table, signal, read, record) => {
  test.prop([fc.array(exportOf(record), { minLength: 1, maxLength: 3 }), options])(
    'in columns are those that the same records are as objects',
    (exports, said) => {
      const [columns, objects] = [newTarget(), newTarget()]
      for (const scopes of exports) {
        const body = encodeRecords(signal, scopes)
        const decoded = runToEnd(decoderFor(table, 'otlp-protobuf').decode(body, START_NS, said))
        const report = decoded.nothing ?? runToEnd(decoded.apply(columns))
        const { rows, leftOut } = runToEnd(read(body))
        const reading = { nowNs: START_NS, options: said }
        const batch = recordBatch(table, objectsOf(rows), reading, leftOut.rejected, leftOut.errors)
        expect(report).toEqual(batch.nothing ?? runToEnd(batch.apply(objects)))
      }
      expect(storedOf(columns, table)).toEqual(storedOf(objects, table))
    },
  )

  test('usual records are not made objects', () => {
    const records = Array.from({ length: 100 }, (_, i) => ({
      traceId: new Uint8Array(16).fill(i + 1),
      spanId: new Uint8Array(8).fill(i + 1),
      timeUnixNano: String(START_NS),
      startTimeUnixNano: String(START_NS),
      endTimeUnixNano: String(START_NS + 5n),
      severityText: 'INFO',
      body: { stringValue: 'größer' },
      flags: 1,
      attributes: [
        { key: 'http.route', value: { stringValue: `/api/${i}` } },
        { key: 'http.response.status_code', value: { intValue: 200 } },
        { key: 'ms', value: { doubleValue: 1.5 } },
        { key: 'ok', value: { boolValue: true } },
      ].slice(i % 4),
    }))
    const own = [{ key: 'service.name', value: { stringValue: 'shop' } }]
    const { rows } = runToEnd(read(encodeRecords(signal, [{ resource: own, scopeName: 'http', records }])))
    expect([rows.rowCount, countObjects(rows), rows.forms.length]).toEqual([100, 0, 4])
  })
})
