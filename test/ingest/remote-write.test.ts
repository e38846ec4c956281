import protobuf from 'protobufjs'
import snappy from 'snappyjs'
import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../src/base/index.ts'
import { decodeRemoteWrite, readRemoteWrite, remoteWriteVersion, storeMetrics } from '../../src/ingest/metrics/index.ts'
import { SampleStore } from '../../src/store/samples/index.ts'

const version1 = protobuf.parse(
  `
  syntax = "proto3";
  message WriteRequest { repeated TimeSeries timeseries = 1; repeated Metadata metadata = 3; }
  message TimeSeries { repeated Label labels = 1; repeated Sample samples = 2; repeated Histogram histograms = 4; }
  message Label { string name = 1; string value = 2; }
  message Sample { double value = 1; int64 timestamp = 2; }
  message Metadata { int32 type = 1; string metric_family_name = 2; string help = 4; string unit = 5; }
  message Span { sint32 offset = 1; uint32 length = 2; }
  message Histogram {
    oneof count { uint64 count_int = 1; double count_float = 2; }
    double sum = 3; sint32 schema = 4; double zero_threshold = 5;
    oneof zero_count { uint64 zero_count_int = 6; double zero_count_float = 7; }
    repeated Span negative_spans = 8; repeated sint64 negative_deltas = 9; repeated double negative_counts = 10;
    repeated Span positive_spans = 11; repeated sint64 positive_deltas = 12; repeated double positive_counts = 13;
    int32 reset_hint = 14; int64 timestamp = 15; repeated double custom_values = 16;
  }
`,
  { keepCase: true },
).root

const version2 = protobuf.parse(
  `
  syntax = "proto3";
  message Request { repeated string symbols = 4; repeated TimeSeries timeseries = 5; }
  message TimeSeries { repeated uint32 labels_refs = 1; repeated Sample samples = 2; int64 created_timestamp = 6; }
  message Sample { double value = 1; int64 timestamp = 2; int64 start_timestamp = 3; }
`,
  { keepCase: true },
).root

function pack(root: protobuf.Root, type: string, message: object): Uint8Array {
  const messageType = root.lookupType(type)
  return snappy.compress(new Uint8Array(messageType.encode(messageType.fromObject(message)).finish()))
}

const options = { version: 1, limitBytes: 1_000_000 } as const

describe('version 1', () => {
  test('series with samples, metadata', () => {
    const body = pack(version1, 'WriteRequest', {
      timeseries: [
        {
          labels: [
            { name: '__name__', value: 'up' },
            { name: 'job', value: 'ü' },
          ],
          samples: [
            { value: 1, timestamp: 1700000000123 },
            { value: -2.5, timestamp: -5 },
          ],
        },
      ],
      metadata: [{ type: 1, metric_family_name: 'up', help: 'h', unit: 'u' }],
    })
    const batch = decodeRemoteWrite(body, options)
    expect(batch.samples.map(({ labels, timeMs, value }) => [String(labels), timeMs, value])).toEqual([
      ['{__name__="up", job="ü"}', 1700000000123, 1],
      ['{__name__="up", job="ü"}', -5, -2.5],
    ])
    expect(batch.metadata).toEqual([{ name: 'up', type: 'counter', help: 'h', unit: 'u' }])
  })

  test('a staleness marker is reported from other NaNs by its bits', () => {
    const message = { labels: [{ name: '__name__', value: 'a' }], samples: [{ value: NaN, timestamp: 1 }] }
    const packed = snappy.uncompress(pack(version1, 'WriteRequest', { timeseries: [message] }))
    const plain = decodeRemoteWrite(snappy.compress(packed), options)
    expect(plain.samples[0]).toMatchObject({ isStale: false, value: NaN })
    const at = packed.findIndex((byte, i) => byte === 0x7f && packed[i - 1] === 0xf8) - 7
    packed.set([2, 0, 0, 0, 0, 0, 0xf0, 0x7f], at)
    expect(decodeRemoteWrite(snappy.compress(packed), options).samples[0]?.isStale).toBe(true)
  })

  test('native histograms, integer and float', () => {
    const body = pack(version1, 'WriteRequest', {
      timeseries: [
        {
          labels: [{ name: '__name__', value: 'h' }],
          histograms: [
            {
              count_int: 7,
              sum: 10.5,
              schema: 1,
              zero_threshold: 0.01,
              zero_count_int: 1,
              positive_spans: [
                { offset: 1, length: 2 },
                { offset: 3, length: 1 },
              ],
              positive_deltas: [2, -1, 2],
              timestamp: 9,
              reset_hint: 3,
            },
            {
              count_float: 3,
              sum: 4,
              schema: -53,
              positive_spans: [{ offset: 0, length: 2 }],
              positive_counts: [1, 2],
              custom_values: [5],
              timestamp: 10,
            },
          ],
        },
      ],
    })
    const [first, second] = decodeRemoteWrite(body, options).samples
    expect(first).toMatchObject({
      timeMs: 9,
      histogram: {
        count: 7,
        zeroCount: 1,
        schema: 1,
        hint: 'gauge',
        positive: { indexes: [1, 2, 6], counts: [2, 1, 3] },
      },
    })
    expect(second).toMatchObject({
      timeMs: 10,
      histogram: { schema: -53, bounds: [5], positive: { indexes: [0, 1], counts: [1, 2] } },
    })
  })

  test('a series without a name is left out and reported', () => {
    const body = pack(version1, 'WriteRequest', {
      timeseries: [{ labels: [{ name: 'a', value: 'b' }], samples: [{ value: 1, timestamp: 1 }] }],
    })
    expect(decodeRemoteWrite(body, options)).toMatchObject({ samples: [], badCount: 1 })
  })
})

test('version 2 looks labels up and takes start times', () => {
  const body = pack(version2, 'Request', {
    symbols: ['', '__name__', 'a_total', 'job', 'x'],
    timeseries: [
      { labels_refs: [1, 2, 3, 4], samples: [{ value: 5, timestamp: 2000 }], created_timestamp: 1000 },
      { labels_refs: [1, 9], samples: [{ value: 5, timestamp: 2000 }] },
    ],
  })
  const batch = decodeRemoteWrite(body, { ...options, version: 2 })
  expect(String(batch.samples[0]?.labels)).toBe('{__name__="a_total", job="x"}')
  expect(batch.samples[0]).toMatchObject({ timeMs: 2000, value: 5, startTimeMs: 1000 })
  expect(batch.bad).toEqual([{ position: 1, reason: 'its labels refer to texts that are not there' }])
  const store = new SampleStore()
  expect(storeMetrics(store, batch.samples).stored).toBe(1)
  expect(store.sampleCount).toBe(1)
})

describe('broken bodies', () => {
  test.each([
    ['no snappy data', Uint8Array.of(255, 255, 255, 255, 255, 255), 'remote-write/not-snappy'],
    ['no message', snappy.compress(Uint8Array.of(10, 200, 1)), 'remote-write/not-a-message'],
    ['too large', snappy.compress(new Uint8Array(2_000_000)), 'remote-write/too-large'],
  ])('%s', (_, body, code) => {
    try {
      decodeRemoteWrite(body, options)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(SluiceError)
      expect((error as SluiceError).code).toBe(code)
    }
  })
})

test.each([
  ['series', [0x0a, 0x00]],
  ['texts of version 2', [0x22, 0x00]],
])('a body of millions of empty %s is refused before they are made', (what, part) => {
  const body = snappy.compress(new Uint8Array(Buffer.alloc(4_000_002, Buffer.from(part))))
  const version = what === 'series' ? 1 : 2
  expect(() => decodeRemoteWrite(body, { version, limitBytes: 10_000_000 })).toThrow(
    /^The body holds more than [28]000000 attributes, points, labels and buckets\./,
  )
})

test('numbers of histograms are counted before they are made', () => {
  const deltas = Array<number>(5_000_000).fill(1)
  const body = pack(version1, 'WriteRequest', { timeseries: [{ histograms: [{ positive_deltas: deltas }] }] })
  expect(() => decodeRemoteWrite(body, { ...options, limitBytes: 10_000_000 })).toThrow('more than 16384 attributes')
})

test('a large body is read a few thousand parts at a time, one long series as well', () => {
  const samples = Array.from({ length: 20_000 }, (_, i) => ({ value: i, timestamp: i }))
  const timeseries = [
    { labels: [{ name: '__name__', value: 'long' }], samples },
    ...samples.slice(0, 5000).map(({ value }) => ({ labels: [{ name: '__name__', value: `a${value}` }], samples: [] })),
  ]
  const turns = readRemoteWrite(pack(version1, 'WriteRequest', { timeseries }), options)
  let steps = 1
  let next = turns.next()
  for (; next.done !== true; next = turns.next()) steps++
  expect(next.value.samples).toHaveLength(20_000)
  expect(steps).toBeGreaterThan(25)
})

test('the content type says the version', () => {
  expect(remoteWriteVersion('application/x-protobuf;proto=io.prometheus.write.v2.Request')).toBe(2)
  expect(remoteWriteVersion('application/x-protobuf; proto="prometheus.WriteRequest"')).toBe(1)
  expect(remoteWriteVersion('application/x-protobuf')).toBe(1)
  expect(remoteWriteVersion('application/x-protobuf;proto=other')).toBeUndefined()
})
