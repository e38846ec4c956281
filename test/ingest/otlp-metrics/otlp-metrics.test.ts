import { describe, expect, test } from 'vitest'
import { SluiceError, runToEnd } from '../../../src/base/index.ts'
import { parseJsonPlain } from '../../../src/data/index.ts'
import { storeExemplars, storeMetrics, type MetricBatch } from '../../../src/ingest/metrics/index.ts'
import { readMetricsJson, readMetricsProtobuf } from '../../../src/ingest/otlp-metrics/index.ts'
import { SampleStore } from '../../../src/store/samples/index.ts'
import { attributes, encodeMetrics, exportOf } from './encode.ts'

const NOW_MS = 1_700_000_000_000
const ns = (ms: number): string => `${ms}000000`

/** Reads the same export in both encodings, which must give the same samples. */
function read(request: object): MetricBatch {
  const fromBytes = runToEnd(readMetricsProtobuf(encodeMetrics(request), NOW_MS))
  const fromJson = runToEnd(readMetricsJson(parseJsonPlain(JSON.stringify(request)), NOW_MS))
  expect(fromJson).toEqual(fromBytes)
  return fromBytes
}

/** Formats each sample as `series value @time`. */
function lines({ samples }: MetricBatch): string[] {
  return samples.map(({ labels, value, timeMs, isStale, histogram }) => {
    const what =
      isStale === true ? 'stale' : histogram === undefined ? String(value) : `histogram of ${histogram.count}`
    const { __name__: name, ...rest } = labels.toRecord()
    return `${name}${JSON.stringify(rest).replaceAll('"', '')} ${what} @${timeMs - NOW_MS}`
  })
}

function numbers(kind: 'gauge' | 'sum', points: readonly object[], rest: object = {}): object {
  return {
    name: 'x',
    [kind]: { dataPoints: points, ...(kind === 'sum' ? { aggregationTemporality: 2 } : {}) },
    ...rest,
  }
}

describe('names', () => {
  const nameOf = (metric: object): string | undefined => {
    const [sample] = read(exportOf([metric])).samples
    return sample?.labels.metricName
  }
  const point = { asInt: '1', timeUnixNano: ns(NOW_MS) }
  test.each([
    ['gauge', 'system.memory.usage', 'By', 'system_memory_usage_bytes'],
    ['gauge', 'cpu.utilization', '1', 'cpu_utilization_ratio'],
    ['gauge', 'queue.length', '{item}', 'queue_length'],
    ['gauge', 'speed', 'm/s', 'speed_meters_per_second'],
    ['gauge', 'rate', '{request}/s', 'rate_per_second'],
    ['gauge', 'disk_bytes', 'By', 'disk_bytes'],
    ['gauge', '1st', '', '_1st'],
    ['gauge', 'a:b', 'widgets', 'a:b_widgets'],
    ['sum', 'up.down', '', 'up_down'],
  ] as const)('%s %s in %s is %s', (kind, name, unit, expected) => {
    expect(nameOf({ ...numbers(kind, [point]), name, unit })).toBe(expected)
  })
  test('a counter ends with _total, behind its unit', () => {
    const counter = (name: string, unit: string): object => ({
      name,
      unit,
      sum: { dataPoints: [point], aggregationTemporality: 2, isMonotonic: true },
    })
    expect(nameOf(counter('http.server.requests', '{request}'))).toBe('http_server_requests_total')
    expect(nameOf(counter('io.total', 'By'))).toBe('io_bytes_total')
  })
  test('a metric whose name has no valid characters is refused', () => {
    expect(read(exportOf([{ ...numbers('gauge', [point]), name: '…' }]))).toMatchObject({ samples: [], badCount: 1 })
  })
})

describe('labels', () => {
  const point = (own: readonly object[]): object => ({ attributes: own, asDouble: 1.5, timeUnixNano: ns(NOW_MS) })
  test('job, instance and target_info of a resource; places of Kubernetes; the scope', () => {
    const resource = {
      'service.name': 'checkout',
      'service.namespace': 'shop',
      'service.instance.id': 'i-1',
      'k8s.namespace.name': 'prod',
      'telemetry.sdk.language': 'go',
    }
    const batch = read({
      resourceMetrics: [
        {
          resource: { attributes: attributes(resource) },
          scopeMetrics: [
            {
              scope: { name: 'lib', version: '1.0', attributes: attributes({ a: 'b' }) },
              metrics: [numbers('gauge', [point([])])],
            },
          ],
        },
      ],
    })
    expect(lines(batch)).toEqual([
      'x{instance:i-1,job:shop/checkout,namespace:prod,otel_scope_a:b,otel_scope_name:lib,otel_scope_version:1.0} 1.5 @0',
      'target_info{instance:i-1,job:shop/checkout,k8s_namespace_name:prod,telemetry_sdk_language:go} 1 @0',
    ])
    expect(batch.metadata).toEqual([
      { name: 'x', type: 'gauge', help: '', unit: '' },
      { name: 'target_info', type: 'gauge', help: 'Target metadata', unit: '' },
    ])
  })
  test('attributes of all kinds; names that become one stand together', () => {
    const own = [
      { key: 'http.code', value: { intValue: '200' } },
      { key: 'b-c', value: { stringValue: '2' } },
      { key: 'b.c', value: { stringValue: '1' } },
      { key: 'ok', value: { boolValue: true } },
      { key: 'd', value: { doubleValue: 0.5 } },
      { key: 'l', value: { arrayValue: { values: [{ intValue: '1' }, { stringValue: 'x' }] } } },
      { key: 'm', value: { kvlistValue: { values: [{ key: 'k', value: { stringValue: 'v' } }] } } },
      { key: '1x', value: { stringValue: 'digit' } },
      { key: '_y', value: { stringValue: 'line' } },
      { key: 'none', value: {} },
    ]
    const [sample] = read(exportOf([numbers('gauge', [point(own)])])).samples
    expect(sample?.labels.toRecord()).toEqual({
      __name__: 'x',
      http_code: '200',
      b_c: '2;1',
      ok: 'true',
      d: '0.5',
      l: '[1,"x"]',
      m: '{"k":"v"}',
      key_1x: 'digit',
      key_y: 'line',
    })
  })
  test('too many attributes are refused with their point alone', () => {
    const many = attributes(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`a${i}`, 'x'])))
    const batch = read(exportOf([numbers('gauge', [point(many), point([])])]))
    expect(lines(batch)).toEqual(['x{} 1.5 @0'])
    expect(batch).toMatchObject({ badCount: 1, bad: [{ position: 0, reason: 'it has more than 128 labels' }] })
  })
})

describe('points', () => {
  test('times: exact milliseconds, that of arrival where there is none; starts of sums', () => {
    const batch = read(
      exportOf([
        numbers('sum', [
          { asInt: '-9007199254740993', timeUnixNano: '1699999999999999999', startTimeUnixNano: ns(5) },
          { asDouble: 2 },
        ]),
      ]),
    )
    expect(batch.samples).toMatchObject([
      { value: -9007199254740992, timeMs: NOW_MS - 1, startTimeMs: 5 },
      { value: 2, timeMs: NOW_MS },
    ])
  })
  test('no recorded value is a staleness marker; no value at all is refused', () => {
    const batch = read(exportOf([numbers('gauge', [{ flags: 1, timeUnixNano: ns(NOW_MS) }, {}])]))
    expect(lines(batch)).toEqual(['x{} stale @0'])
    expect(batch).toMatchObject({ badCount: 1, bad: [{ position: 1, reason: 'it has no value' }] })
  })
  test('sums that say neither cumulative nor delta are refused', () => {
    const batch = read(exportOf([{ name: 'x', sum: { dataPoints: [{ asInt: '1' }] } }]))
    expect(batch.bad).toEqual([{ position: 0, reason: 'its metric says neither cumulative nor delta' }])
  })
  test('a histogram is cumulative buckets, sum and count', () => {
    const point = {
      timeUnixNano: ns(NOW_MS),
      count: '6',
      sum: 7.5,
      bucketCounts: ['1', '2', '3'],
      explicitBounds: [0.005, 1e21],
      exemplars: [
        { asDouble: 3, timeUnixNano: ns(NOW_MS - 1), filteredAttributes: attributes({ user: 'u' }) },
        { asInt: '0' },
      ],
    }
    const batch = read(
      exportOf([{ name: 'd', unit: 's', histogram: { dataPoints: [point], aggregationTemporality: 2 } }]),
    )
    expect(lines(batch)).toEqual([
      'd_seconds_bucket{le:0.005} 1 @0',
      'd_seconds_bucket{le:1000000000000000000000} 3 @0',
      'd_seconds_bucket{le:+Inf} 6 @0',
      'd_seconds_sum{} 7.5 @0',
      'd_seconds_count{} 6 @0',
    ])
    expect(
      batch.exemplars.map(({ series, labels, value, timeMs }) => [series.get('le'), labels.toRecord(), value, timeMs]),
    ).toEqual([
      ['1000000000000000000000', { user: 'u' }, 3, NOW_MS - 1],
      ['0.005', {}, 0, NOW_MS],
    ])
  })
  test.each([
    [{ bucketCounts: ['1'], explicitBounds: [1] }, 'it does not have one bucket more than bounds'],
    [{ bucketCounts: ['1', '1', '1'], explicitBounds: [2, 1] }, 'its bounds do not ascend'],
    [
      { bucketCounts: Array(5000).fill('1'), explicitBounds: Array.from({ length: 4999 }, (_, i) => i) },
      'it has more than 2048 buckets',
    ],
  ])('a histogram that makes no sense is refused', (buckets, reason) => {
    const histogram = { dataPoints: [buckets, { count: '1' }], aggregationTemporality: 2 }
    const batch = read(exportOf([{ name: 'd', histogram }]))
    expect(batch.bad).toEqual([{ position: 0, reason }])
    expect(lines(batch)).toEqual(['d_bucket{le:+Inf} 1 @0', 'd_count{} 1 @0'])
  })
  test('an exponential histogram is a native one, scaled down to schema 8', () => {
    const point = {
      timeUnixNano: ns(NOW_MS),
      count: '10',
      sum: 3,
      scale: 9,
      zeroCount: '1',
      zeroThreshold: 0.25,
      positive: { offset: -1, bucketCounts: ['1', '2', '0', '4'] },
      negative: { offset: 3, bucketCounts: ['2'] },
    }
    const batch = read(
      exportOf([{ name: 'e', exponentialHistogram: { dataPoints: [point], aggregationTemporality: 2 } }]),
    )
    // OTLP buckets −1, 0 and 2 are 0, 1 and 3 of the native histogram. Lowering the resolution merges pairs of buckets.
    expect(batch.samples.map(({ histogram }) => histogram)).toEqual([
      {
        schema: 8,
        count: 10,
        sum: 3,
        zeroThreshold: 0.25,
        zeroCount: 1,
        positive: { indexes: [0, 1, 2], counts: [1, 2, 4] },
        negative: { indexes: [2], counts: [2] },
        bounds: [],
        hint: 'unknown',
      },
    ])
    const coarse = { ...point, scale: -5 }
    const refused = read(
      exportOf([{ name: 'e', exponentialHistogram: { dataPoints: [coarse], aggregationTemporality: 2 } }]),
    )
    expect(refused.bad).toEqual([{ position: 0, reason: 'its scale is -5, below -4' }])
  })
  test('a summary', () => {
    const point = {
      count: '4',
      sum: 2,
      quantileValues: [
        { quantile: 0.99, value: 1.5 },
        { quantile: 1, value: 2 },
      ],
    }
    expect(lines(read(exportOf([{ name: 's', summary: { dataPoints: [point] } }])))).toEqual([
      's{quantile:0.99} 1.5 @0',
      's{quantile:1} 2 @0',
      's_sum{} 2 @0',
      's_count{} 4 @0',
    ])
  })
})

describe('deltas', () => {
  function store(...batches: readonly object[]): { store: SampleStore; late: number[] } {
    const samples = new SampleStore()
    const late = batches.map((request) => {
      const batch = read(request)
      storeExemplars(samples, batch.exemplars)
      return storeMetrics(samples, batch.samples).latePoints
    })
    return { store: samples, late }
  }
  const delta = (timeMs: number, rest: object): object =>
    exportOf([
      {
        name: 'x',
        sum: { isMonotonic: true, aggregationTemporality: 1, dataPoints: [{ timeUnixNano: ns(timeMs), ...rest }] },
      },
    ])
  const valuesOf = (samples: SampleStore): unknown[] =>
    samples.series.all.flatMap((series) =>
      Array.from({ length: series.count }, (_, i) => {
        const { timeMs = 0, value, isStale } = series.sampleAt(i) ?? {}
        return [timeMs, isStale === true ? 'stale' : value]
      }),
    )

  test('are added up, over gaps and staleness markers; what came before is refused', () => {
    const { store: samples, late } = store(
      delta(1000, { asInt: '5', startTimeUnixNano: ns(500) }),
      delta(2000, { asInt: '1' }),
      delta(2000, { asInt: '1' }),
      delta(1500, { asInt: '1' }),
      delta(3000, { flags: 1 }),
      delta(3500, { flags: 1 }),
      delta(900_000, { asInt: '4' }),
    )
    expect(valuesOf(samples)).toEqual([
      [1000, 5],
      [2000, 6],
      [3000, 'stale'],
      [900_000, 10],
    ])
    expect(late).toEqual([0, 0, 1, 1, 0, 0, 0])
    expect(samples.series.all[0]?.sampleAt(3)?.startTimeMs).toBe(500)
  })
  test('exponential histograms are added up in the coarser of both scales', () => {
    const exponential = (timeMs: number, scale: number, counts: readonly string[]): object =>
      exportOf([
        {
          name: 'e',
          exponentialHistogram: {
            aggregationTemporality: 1,
            dataPoints: [
              { timeUnixNano: ns(timeMs), scale, count: '3', sum: 1, positive: { offset: 0, bucketCounts: counts } },
            ],
          },
        },
      ])
    const { store: samples } = store(exponential(1, 1, ['1', '2']), exponential(2, 0, ['3']))
    expect(samples.series.all[0]?.sampleAt(1)?.histogram).toMatchObject({
      schema: 0,
      count: 6,
      sum: 2,
      positive: { indexes: [1], counts: [6] },
    })
  })
  test('points of a histogram that come again count once', () => {
    const histogram = exportOf([
      {
        name: 'h',
        histogram: {
          aggregationTemporality: 1,
          dataPoints: [{ timeUnixNano: ns(1), count: '3', sum: 1, bucketCounts: ['1', '2'], explicitBounds: [1] }],
        },
      },
    ])
    expect(store(histogram, histogram).late).toEqual([0, 1])
  })
})

function codeOf(work: () => unknown): string {
  try {
    work()
    return ''
  } catch (error) {
    return error instanceof SluiceError ? error.code : String(error)
  }
}

describe('what senders get wrong', () => {
  test.each([[[10, 200, 1, 2]], [[10, 4, 18, 10, 1, 1]], [[10, 6, 18, 4, 18, 2, 42, 9]]])(
    'bytes that are not a message are an error',
    (given) => {
      expect(() => runToEnd(readMetricsProtobuf(Uint8Array.from(given), NOW_MS))).toThrow()
    },
  )
  test('text that is not UTF-8 has U+FFFD in its place', () => {
    const bytes = encodeMetrics(exportOf([numbers('gauge', [{ attributes: attributes({ a: 'bad' }), asInt: '1' }])]))
    const at = Buffer.from(bytes).indexOf('bad')
    bytes[at] = 0xff
    const [sample] = runToEnd(readMetricsProtobuf(bytes, NOW_MS)).samples
    expect(sample?.labels.get('a')).toBe('\uFFFDad')
  })
  test('values in values end at some depth', () => {
    let value: object = { stringValue: 'deep' }
    for (let i = 0; i < 40; i++) value = { arrayValue: { values: [value] } }
    const batch = runToEnd(
      readMetricsProtobuf(
        encodeMetrics(exportOf([numbers('gauge', [{ attributes: [{ key: 'a', value }], asInt: '1' }])])),
        NOW_MS,
      ),
    )
    expect(batch.samples[0]?.labels.get('a')).toMatch(/^\[+(null)?\]+$/)
  })
  /** Wraps a message in nested messages, one per field number, innermost first. */
  function nested(content: Uint8Array, ...fields: readonly number[]): Uint8Array {
    let message = content
    for (const field of fields) {
      const length: number[] = []
      for (let rest = message.length; ; rest >>>= 7) {
        length.push(rest < 128 ? rest : (rest & 127) | 128)
        if (rest < 128) break
      }
      message = Buffer.concat([Uint8Array.from([(field << 3) | 2, ...length]), message])
    }
    return message
  }
  /** Returns `count` empty messages of a field, two bytes each. */
  const empty = (field: number, count: number): Uint8Array => {
    const bytes = new Uint8Array(2 * count)
    for (let i = 0; i < bytes.length; i += 2) bytes[i] = (field << 3) | 2
    return bytes
  }
  test.each([
    ['attributes of a point', nested(empty(7, 500_000), 1, 5, 2, 2, 1), 'ingest/too-many-parts-in-one'],
    ['attributes of a resource', nested(empty(1, 500_000), 1, 1), 'ingest/too-many-parts-in-one'],
    ['buckets', nested(nested(new Uint8Array(800_000), 6), 1, 9, 2, 2, 1), 'ingest/too-many-parts-in-one'],
    ['points', nested(empty(1, 2_500_000), 5, 2, 2, 1), 'ingest/too-many-parts'],
    ['resources', empty(1, 2_500_000), 'ingest/too-many-parts'],
    ['fields that are not known', empty(15, 5_000_000), 'ingest/too-many-parts-in-one'],
  ])('more %s than there may be are refused before they are made', (_, body, code) => {
    expect(codeOf(() => runToEnd(readMetricsProtobuf(body, NOW_MS)))).toBe(code)
  })
  test.each([
    ['{"resourceMetrics":5}', /`resourceMetrics` is not a list/],
    ['{"resourceMetrics":[5]}', /is not an object/],
    ['[]', /is not an object/],
    [
      '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"x","gauge":{"dataPoints":[{"asDouble":"x"}]}}]}]}]}',
      /asDouble/,
    ],
  ])('JSON that is something else: %s', (text, message) => {
    expect(() => runToEnd(readMetricsJson(parseJsonPlain(text), NOW_MS))).toThrow(message)
  })
})
