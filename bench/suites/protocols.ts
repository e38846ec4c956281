import protobuf from 'protobufjs'
import snappy from 'snappyjs'
import { atOnce } from '../../src/base/index.ts'
import { decoderFor } from '../../src/server/ingest/decoders.ts'
import { newTarget } from '../../src/server/tenant.ts'
import { attributes, encodeMetrics, exportOf } from '../../test/ingest/otlp-metrics/encode.ts'
import { encodePush } from '../../test/ingest/loki/encode.ts'
import { jsonLine, logRecords } from '../datasets.ts'

/**
 * What one thread reads and stores of each protocol, unpacked where the decoder does not unpack, without HTTP and without the log:
 * `npm run bench -- protocols [rounds]`. Each body is sent with later times again and again; the first round warms up.
 */
const rounds = Number(process.argv[2] ?? 20)
const START_MS = 1_767_225_600_000
const STEP_MS = 15_000

interface Protocol {
  readonly name: string
  readonly table: string
  readonly format: string
  readonly unit: string
  /** Of one body. */
  readonly count: number
  readonly body: (timeMs: number) => Uint8Array
}

const series = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, i) =>
    attributes({
      'http.route': `/api/${i % 50}`,
      'http.request.method': i % 2 === 0 ? 'GET' : 'POST',
      pod: `pod-${i}`,
    }),
  )
const resource = { 'service.name': 'checkout', 'service.namespace': 'shop', 'k8s.namespace.name': 'prod' }

function otlp(name: string, format: string, count: number, metric: (points: readonly object[]) => object): Protocol {
  const points = series(count)
  const request = (timeMs: number): object =>
    exportOf(
      [
        metric(
          points.map((own, i) => ({
            attributes: own,
            timeUnixNano: `${timeMs}000000`,
            startTimeUnixNano: '1',
            ...value(i),
          })),
        ),
      ],
      resource,
    )
  const value = (i: number): object => ({
    asDouble: i * 1.5,
    count: 60,
    sum: 12.5,
    bucketCounts: [10, 10, 10, 10, 10, 10, 0, 0],
    explicitBounds: [0.01, 0.05, 0.1, 0.5, 1, 5, 10],
  })
  const isJson = format.endsWith('json')
  return {
    name,
    table: 'samples',
    format,
    unit: 'points',
    count,
    body: (timeMs) =>
      isJson ? new TextEncoder().encode(JSON.stringify(request(timeMs))) : encodeMetrics(request(timeMs)),
  }
}

const version2 = protobuf
  .parse(
    `syntax = "proto3";
  message Request { repeated string symbols = 4; repeated TimeSeries timeseries = 5; }
  message TimeSeries { repeated uint32 labels_refs = 1; repeated Sample samples = 2; }
  message Sample { double value = 1; int64 timestamp = 2; }`,
    { keepCase: true },
  )
  .root.lookupType('Request')

function remoteWrite(count: number): Protocol {
  const symbols = ['', '__name__', 'requests_total', 'job', 'api', 'pod', 'route']
  const first = symbols.length
  for (let i = 0; i < count; i++) symbols.push(`pod-${i}`)
  for (let i = 0; i < 50; i++) symbols.push(`/api/${i}`)
  const body = (timeMs: number): Uint8Array => {
    const timeseries = Array.from({ length: count }, (_, i) => ({
      labels_refs: [1, 2, 3, 4, 5, first + i, 6, first + count + (i % 50)],
      samples: [{ value: i, timestamp: timeMs }],
    }))
    return snappy.compress(new Uint8Array(version2.encode(version2.fromObject({ symbols, timeseries })).finish()))
  }
  return { name: 'remote write 2', table: 'samples', format: 'remote-write-2', unit: 'samples', count, body }
}

function loki(count: number): Protocol {
  const lines = Array.from(logRecords({ rows: count, seed: 1 }), (record) => jsonLine(record))
  const body = (timeMs: number): Uint8Array =>
    encodePush(
      Array.from({ length: 20 }, (_, stream) => ({
        labels: { namespace: 'prod', app: `app-${stream}`, pod: `app-${stream}-x`, container: 'main' },
        entries: lines
          .filter((__, i) => i % 20 === stream)
          .map((line, i) => ({ ns: `${timeMs}${String(i).padStart(6, '0')}`, line, metadata: { trace_id: `t${i}` } })),
      })),
    )
  return { name: 'Loki push', table: 'logs', format: 'loki-protobuf', unit: 'lines', count, body }
}

const protocols: readonly Protocol[] = [
  otlp('OTLP gauges, protobuf', 'otlp-metrics-protobuf', 5000, (dataPoints) => ({ name: 'g', gauge: { dataPoints } })),
  otlp('OTLP gauges, JSON', 'otlp-metrics-json', 5000, (dataPoints) => ({ name: 'g', gauge: { dataPoints } })),
  otlp('OTLP sums of deltas', 'otlp-metrics-protobuf', 5000, (dataPoints) => ({
    name: 's',
    sum: { dataPoints, isMonotonic: true, aggregationTemporality: 1 },
  })),
  otlp('OTLP histograms, 10 series each', 'otlp-metrics-protobuf', 1000, (dataPoints) => ({
    name: 'h',
    histogram: { dataPoints, aggregationTemporality: 2 },
  })),
  remoteWrite(5000),
  loki(5000),
]

for (const { name, table, format, unit, count, body } of protocols) {
  const decoder = decoderFor(table, format)
  const target = newTarget()
  const bodies = Array.from({ length: rounds + 1 }, (_, round) => body(START_MS + round * STEP_MS))
  let seconds = 0
  let bytes = 0
  for (const [round, payload] of bodies.entries()) {
    const before = process.cpuUsage()
    const { accepted } = atOnce(atOnce(decoder.decode(payload, BigInt(START_MS) * 1_000_000n)).apply(target))
    const { user, system } = process.cpuUsage(before)
    if (accepted < count) throw new Error(`${name}: ${accepted} of ${count} were stored`)
    if (round === 0) continue
    seconds += (user + system) / 1e6
    bytes += payload.length
  }
  const rate = Math.round((rounds * count) / seconds)
  process.stdout.write(
    `${name.padEnd(32)} ${String(rate).padStart(9)} ${unit}/s, ${(bytes / seconds / 1e6).toFixed(0)} MB/s as sent\n`,
  )
}
