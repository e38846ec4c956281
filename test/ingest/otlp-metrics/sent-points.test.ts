// @module-tag slow
import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { runToEnd } from '../../../src/base/index.ts'
import { readMetricsProtobuf } from '../../../src/ingest/otlp-metrics/index.ts'
import { MetricsReader } from '../../../src/ingest/otlp-metrics/read-protobuf.ts'
import { SentPoints } from '../../../src/ingest/otlp-metrics/sent-points.ts'
import { metricsOf } from '../../../src/ingest/otlp-metrics/translate.ts'
import { storeMetrics, type DecodedMetrics } from '../../../src/ingest/metrics/index.ts'
import { MetricColumns } from '../../../src/ingest/metrics/metric-columns.ts'
import { PartCount } from '../../../src/ingest/part-count.ts'
import { SampleStore } from '../../../src/store/samples/index.ts'
import { attributes, encodeMetrics, exportOf } from './encode.ts'

const START_MS = 1_700_000_000_000
const RECEIVED_MS = START_MS + 5000

const value = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('', 'a', 'b', 'größer', 'x'.repeat(70)).map((stringValue) => ({ stringValue })),
  },
  { weight: 1, arbitrary: fc.constantFrom(0, 7, '-1').map((intValue) => ({ intValue })) },
  { weight: 1, arbitrary: fc.constant({ arrayValue: { values: [{ stringValue: 'a' }, { intValue: 1 }] } }) },
  // Longer than the limit for labels.
  { weight: 1, arbitrary: fc.constant({ stringValue: 'y'.repeat(70_000) }) },
)
const attribute = fc.record({
  key: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('http.route', 'pod', 'k8s.pod.name', 'n') },
    { weight: 1, arbitrary: fc.constantFrom('', 'pod_', 'job', 'le', '__name__', 'k8s_pod_name') },
  ),
  value,
})
const nano = fc.constantFrom('0', `${START_MS}000000`, `${START_MS + 1}999999`, `${START_MS + 15_000}000000`)
const exemplar = { timeUnixNano: '1', asDouble: 1, traceId: new Uint8Array(16).fill(7) }
const base = {
  attributes: fc.array(attribute, { maxLength: 3 }),
  startTimeUnixNano: nano,
  timeUnixNano: nano,
  flags: fc.constantFrom(0, 0, 0, 0, 1, 200),
  exemplars: fc.constantFrom([], [], [], [exemplar]),
}
const some = { requiredKeys: [] as [] }
const number = fc.record(
  {
    ...base,
    asDouble: fc.constantFrom(0, 1.5, -0, NaN, Infinity),
    asInt: fc.constantFrom('0', '-1', '9007199254740993', '-9223372036854775808'),
  },
  some,
)
const counts = fc.array(fc.constantFrom('0', '1', '3', '300', '4294967296'), { maxLength: 4 })
const histogram = fc.record(
  {
    ...base,
    count: fc.constantFrom('0', '7', '4294967299'),
    sum: fc.constantFrom(0, 2.5),
    min: fc.constant(1),
    max: fc.constant(2),
    bucketCounts: counts,
    explicitBounds: fc.constantFrom([], [1], [1, 2], [0.1, 5, 10], [2, 1], [1, Infinity], [NaN]),
  },
  some,
)
const buckets = fc.record({ offset: fc.constantFrom(0, -3, 70, -5000), bucketCounts: counts }, some)
const exponential = fc.record(
  {
    ...base,
    count: fc.constantFrom('0', '7'),
    sum: fc.constantFrom(0, 2.5),
    scale: fc.constantFrom(0, 3, -4, -5, 9, 20),
    zeroCount: fc.constantFrom('0', '2'),
    zeroThreshold: fc.constantFrom(0, 0.001),
    min: fc.constant(1),
    max: fc.constant(2),
    positive: buckets,
    negative: buckets,
  },
  some,
)
const metric = (kind: string, point: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc
    .record({
      name: fc.constantFrom('a.b', 'requests', 'requests', ''),
      unit: fc.constantFrom('', 's', '1', '{request}'),
      temporality: fc.constantFrom(0, 1, 2, 2),
      isMonotonic: fc.boolean(),
      dataPoints: fc.array(point, { maxLength: 4 }),
    })
    .map(({ name, unit, temporality, isMonotonic, dataPoints }) => ({
      name,
      unit,
      [kind]: {
        dataPoints,
        ...(kind === 'gauge' ? {} : { aggregationTemporality: temporality }),
        ...(kind === 'sum' ? { isMonotonic } : {}),
      },
    }))
const metrics = fc.array(
  fc.oneof(
    metric('gauge', number),
    metric('sum', number),
    metric('histogram', histogram),
    metric('exponentialHistogram', exponential),
  ),
  { maxLength: 4 },
)
const resource = fc.constantFrom<Readonly<Record<string, string>>>(
  {},
  { 'service.name': 'a' },
  { 'service.name': 'a', 'k8s.pod.name': 'p' },
)

function asObjects(bytes: Uint8Array): DecodedMetrics {
  const parts = new PartCount()
  return runToEnd(metricsOf(new MetricsReader(bytes, parts).resources(), parts, RECEIVED_MS))
}

/** Returns everything that results from reading and storing a body. */
function outcome(read: () => DecodedMetrics): unknown {
  const { samples, metadata, exemplars, bad, badCount } = read()
  const store = new SampleStore()
  const told = storeMetrics(store, samples, 20)
  const stored = store.reader.select({ matchers: [], guard: undefined, startMs: -Infinity, endMs: Infinity })
  return {
    samples: samples.map(({ labels, ...rest }) => [labels.key, rest]),
    stored: stored.map(({ labels, ...rest }) => [labels.key, rest]),
    exemplars: exemplars.map(({ series, labels, ...rest }) => [series.key, labels.key, rest]),
    metadata,
    bad,
    badCount,
    told,
  }
}

describe('points of metrics', () => {
  test.prop([metrics, resource], { numRuns: 400 })(
    'in columns are those that the same points are as objects',
    (list, own) => {
      const bytes = encodeMetrics(exportOf(list, own))
      const expected = outcome(() => asObjects(bytes))
      // Read the body twice: its series are new the first time and known the second time.
      for (let again = 0; again < 2; again++)
        expect(outcome(() => runToEnd(readMetricsProtobuf(bytes, RECEIVED_MS)))).toEqual(expected)
    },
  )

  test.prop([metrics, resource, fc.nat(), fc.nat(255)], { numRuns: 400 })(
    'with a byte turned are read or refused alike',
    (list, own, at, turned) => {
      const bytes = encodeMetrics(exportOf(list, own))
      if (bytes.length === 0) return
      bytes[at % bytes.length] = turned
      const tried = (read: () => DecodedMetrics): unknown => {
        try {
          return outcome(read)
        } catch (error) {
          return `refused: ${error instanceof Error}`
        }
      }
      expect(tried(() => runToEnd(readMetricsProtobuf(bytes, RECEIVED_MS)))).toEqual(tried(() => asObjects(bytes)))
    },
  )

  test('as SDKs send them are taken without an object each', () => {
    const own = { attributes: attributes({ pod: 'a' }), startTimeUnixNano: '1', timeUnixNano: `${START_MS}000000` }
    const common = { ...own, count: '3', sum: 2.5, min: 1, max: 2 }
    const bytes = encodeMetrics(
      exportOf([
        { name: 'g', gauge: { dataPoints: [{ ...own, asDouble: 1 }] } },
        { name: 's', sum: { dataPoints: [{ ...own, asInt: '1' }], aggregationTemporality: 2, isMonotonic: true } },
        {
          name: 'h',
          histogram: {
            dataPoints: [{ ...common, bucketCounts: ['1', '2'], explicitBounds: [1] }],
            aggregationTemporality: 2,
          },
        },
        {
          name: 'e',
          exponentialHistogram: {
            dataPoints: [{ ...common, scale: 3, positive: { offset: 2, bucketCounts: ['1', '2'] } }],
            aggregationTemporality: 2,
          },
        },
      ]),
    )
    const parts = new PartCount()
    const taken: boolean[] = []
    const sent = new SentPoints(bytes, parts, new MetricColumns(), RECEIVED_MS)
    const place = { weak: [], strong: [] }
    for (const { scopes } of new MetricsReader(bytes, parts).resources())
      for (const { metrics: all } of scopes)
        for (const each of all) {
          const taker = sent.takerOf({ metric: each, name: each.name, ...place }, place, 0)
          for (const point of each.points(taker)) taken.push(point === undefined)
        }
    expect(taken).toEqual([true, true, true, true])
  })
})
