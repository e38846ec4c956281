import protobuf from 'protobufjs'
import snappy from 'snappyjs'
import { attributes, encodeMetrics, exportOf } from '../../../test/ingest/otlp-metrics/encode.ts'
import { encodeRecords } from '../../../test/ingest/otlp-records/encode.ts'
import { encodePush } from '../../../test/ingest/loki/encode.ts'
import { jsonLine, logRecords } from '../../datasets.ts'

const START_MS = 1_767_225_600_000
const STEP_MS = 15_000

export interface Protocol {
  readonly name: string
  readonly table: string
  readonly format: string
  /** The path of the request, and headers that describe the body. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly unit: string
  /** The number of records in one body. */
  readonly count: number
  /** True if a body is rejected after a later one; bodies of several connections overtake each other. */
  readonly isOrdered?: boolean
  /** Returns the body of a round. Its times are later than those of the round before. */
  readonly body: (round: number) => Uint8Array
}

function timeMs(round: number): number {
  return START_MS + round * STEP_MS
}

const PROTOBUF = { 'Content-Type': 'application/x-protobuf' }

const series = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, i) =>
    attributes({
      'http.route': `/api/${i % 50}`,
      'http.request.method': i % 2 === 0 ? 'GET' : 'POST',
      pod: `pod-${i}`,
    }),
  )
const resource = { 'service.name': 'checkout', 'service.namespace': 'shop', 'k8s.namespace.name': 'prod' }

function otlpMetrics(
  name: string,
  format: string,
  count: number,
  metric: (points: readonly object[]) => object,
  isOrdered = false,
): Protocol {
  const points = series(count)
  const value = (i: number): object => ({
    asDouble: i * 1.5,
    count: 60,
    sum: 12.5,
    bucketCounts: [10, 10, 10, 10, 10, 10, 0, 0],
    explicitBounds: [0.01, 0.05, 0.1, 0.5, 1, 5, 10],
  })
  const request = (round: number): object =>
    exportOf(
      [
        metric(
          points.map((own, i) => ({
            attributes: own,
            timeUnixNano: `${timeMs(round)}000000`,
            startTimeUnixNano: '1',
            ...value(i),
          })),
        ),
      ],
      resource,
    )
  const isJson = format.endsWith('json')
  return {
    name,
    table: 'samples',
    format,
    path: '/v1/metrics',
    headers: isJson ? { 'Content-Type': 'application/json' } : PROTOBUF,
    unit: 'points',
    count,
    isOrdered,
    body: (round) =>
      isJson ? new TextEncoder().encode(JSON.stringify(request(round))) : encodeMetrics(request(round)),
  }
}

const RESOURCE_OF_RECORDS = {
  'service.name': 'checkout',
  'service.namespace': 'shop',
  'k8s.namespace.name': 'prod',
  'k8s.pod.name': 'checkout-7d9f-x2k',
  'k8s.cluster.name': 'eu-1',
}

/** Returns an id of the given length, different for each number. */
function idOf(bytes: number, number: number): Uint8Array {
  const id = Buffer.alloc(bytes)
  id.writeUInt32LE((number + 1) >>> 0)
  id.writeUInt32LE(Math.imul(number + 1, 0x9e3779b1) >>> 0, 4)
  return id
}

function exportOfRecords(signal: 'Logs' | 'Traces', records: readonly object[]): Uint8Array {
  return encodeRecords(signal, [{ resource: attributes(RESOURCE_OF_RECORDS), scopeName: 'http', records }])
}

const LEVELS = [
  { severityNumber: 9, severityText: 'INFO' },
  { severityNumber: 13, severityText: 'WARN' },
  { severityNumber: 17, severityText: 'ERROR' },
] as const

function recordAttributes(i: number): object[] {
  return [
    ...attributes({ 'http.route': `/api/${i % 50}`, 'http.request.method': i % 2 === 0 ? 'GET' : 'POST' }),
    { key: 'http.response.status_code', value: { intValue: i % 20 === 0 ? 500 : 200 } },
    { key: 'duration_ms', value: { doubleValue: (i % 997) / 8 } },
  ]
}

function otlpLogs(count: number): Protocol {
  const records = [...logRecords({ rows: count, seed: 1 })].map(({ content }) => content)
  return {
    name: 'OTLP logs, protobuf',
    table: 'logs',
    format: 'otlp-protobuf',
    path: '/v1/logs',
    headers: PROTOBUF,
    unit: 'records',
    count,
    body: (round) =>
      exportOfRecords(
        'Logs',
        records.map((content, i) => ({
          timeUnixNano: `${timeMs(round)}${String(i).padStart(6, '0')}`,
          observedTimeUnixNano: `${timeMs(round)}${String(i).padStart(6, '0')}`,
          ...LEVELS[i % 16 < 14 ? 0 : i % 16 === 14 ? 1 : 2],
          body: { stringValue: content },
          attributes: recordAttributes(i),
          traceId: idOf(16, round * count + (i >> 2)),
          spanId: idOf(8, round * count + i),
        })),
      ),
  }
}

function otlpSpans(count: number): Protocol {
  return {
    name: 'OTLP spans, protobuf',
    table: 'spans',
    format: 'otlp-protobuf',
    path: '/v1/traces',
    headers: PROTOBUF,
    unit: 'spans',
    count,
    body: (round) =>
      exportOfRecords(
        'Traces',
        Array.from({ length: count }, (_, i) => ({
          traceId: idOf(16, round * count + (i >> 3)),
          spanId: idOf(8, round * count + i),
          ...(i % 8 === 0 ? {} : { parentSpanId: idOf(8, round * count + i - 1) }),
          name: `GET /api/${i % 50}`,
          kind: 2 + (i % 2),
          startTimeUnixNano: `${timeMs(round)}${String(i).padStart(6, '0')}`,
          endTimeUnixNano: `${timeMs(round) + 1 + (i % 90)}${String(i).padStart(6, '0')}`,
          attributes: recordAttributes(i),
          ...(i % 20 === 0 ? { status: { code: 2, message: 'upstream timed out' } } : {}),
        })),
      ),
  }
}

const prometheus = protobuf.parse(
  `syntax = "proto3";
  message WriteRequest { repeated TimeSeries1 timeseries = 1; }
  message TimeSeries1 { repeated Label labels = 1; repeated Sample samples = 2; }
  message Label { string name = 1; string value = 2; }
  message Request { repeated string symbols = 4; repeated TimeSeries timeseries = 5; }
  message TimeSeries { repeated uint32 labels_refs = 1; repeated Sample samples = 2; }
  message Sample { double value = 1; int64 timestamp = 2; }`,
  { keepCase: true },
).root

function packed(version: 1 | 2, request: object): Uint8Array {
  const message = prometheus.lookupType(version === 1 ? 'WriteRequest' : 'Request')
  return snappy.compress(new Uint8Array(message.encode(message.fromObject(request)).finish()))
}

export interface SentSeries {
  readonly labels: readonly { readonly name: string; readonly value: string }[]
  readonly samples: readonly { readonly value: number; readonly timestamp: number }[]
}

/** Returns a body of remote write 1. */
export function remoteWriteBody(timeseries: readonly SentSeries[]): Uint8Array {
  return packed(1, { timeseries })
}

/** Returns remote write with `count` series in a body; with `isNew` every round has new series. */
function remoteWrite(version: 1 | 2, count: number, isNew: boolean): Protocol {
  const podOf = (round: number, i: number): string => `checkout-7d9f-${isNew ? round : 0}-${i}`
  const fixed = ['__name__', 'http_requests_total', 'job', 'api', 'namespace', 'prod', 'pod', 'route']
  const request = (round: number): object => {
    const sampleOf = (i: number): object => ({ value: i + round * 3, timestamp: timeMs(round) })
    if (version === 1)
      return {
        timeseries: Array.from({ length: count }, (_, i) => ({
          labels: [
            { name: '__name__', value: 'http_requests_total' },
            { name: 'job', value: 'api' },
            { name: 'namespace', value: 'prod' },
            { name: 'pod', value: podOf(round, i) },
            { name: 'route', value: `/api/${i % 50}` },
          ],
          samples: [sampleOf(i)],
        })),
      }
    const symbols = ['', ...fixed]
    const first = symbols.length
    for (let i = 0; i < count; i++) symbols.push(podOf(round, i))
    for (let i = 0; i < 50; i++) symbols.push(`/api/${i}`)
    const timeseries = Array.from({ length: count }, (_, i) => ({
      labels_refs: [1, 2, 3, 4, 5, 6, 7, first + i, 8, first + count + (i % 50)],
      samples: [sampleOf(i)],
    }))
    return { symbols, timeseries }
  }
  const proto = version === 1 ? 'prometheus.WriteRequest' : 'io.prometheus.write.v2.Request'
  return {
    name: `remote write ${version}, ${isNew ? 'new' : 'known'} series`,
    table: 'samples',
    format: `remote-write-${version}`,
    path: '/api/v1/write',
    headers: { 'Content-Type': `application/x-protobuf;proto=${proto}`, 'Content-Encoding': 'snappy' },
    unit: 'samples',
    count,
    body: (round) => packed(version, request(round)),
  }
}

function loki(count: number): Protocol {
  const lines = Array.from(logRecords({ rows: count, seed: 1 }), (record) => jsonLine(record))
  const body = (round: number): Uint8Array =>
    encodePush(
      Array.from({ length: 20 }, (_, stream) => ({
        labels: { namespace: 'prod', app: `app-${stream}`, pod: `app-${stream}-x`, container: 'main' },
        entries: lines
          .filter((__, i) => i % 20 === stream)
          .map((line, i) => ({
            ns: `${timeMs(round)}${String(i).padStart(6, '0')}`,
            line,
            metadata: { trace_id: `t${i}` },
          })),
      })),
    )
  return {
    name: 'Loki push',
    table: 'logs',
    format: 'loki-protobuf',
    path: '/loki/api/v1/push',
    headers: PROTOBUF,
    unit: 'lines',
    count,
    body,
  }
}

export const protocols: readonly Protocol[] = [
  otlpLogs(2000),
  otlpSpans(2000),
  otlpMetrics('OTLP gauges, protobuf', 'otlp-metrics-protobuf', 5000, (dataPoints) => ({
    name: 'g',
    gauge: { dataPoints },
  })),
  otlpMetrics('OTLP gauges, JSON', 'otlp-metrics-json', 5000, (dataPoints) => ({ name: 'g', gauge: { dataPoints } })),
  otlpMetrics(
    'OTLP sums of deltas',
    'otlp-metrics-protobuf',
    5000,
    (dataPoints) => ({ name: 's', sum: { dataPoints, isMonotonic: true, aggregationTemporality: 1 } }),
    true,
  ),
  otlpMetrics('OTLP histograms, 10 series each', 'otlp-metrics-protobuf', 1000, (dataPoints) => ({
    name: 'h',
    histogram: { dataPoints, aggregationTemporality: 2 },
  })),
  remoteWrite(1, 5000, false),
  remoteWrite(1, 5000, true),
  remoteWrite(2, 5000, false),
  remoteWrite(2, 5000, true),
  loki(5000),
]
