import protobuf from 'protobufjs'
import snappy from 'snappyjs'
import { describe, expect, test } from 'vitest'
import { CUSTOM_SCHEMA, EMPTY_HISTOGRAM, Labels, denseBuckets, type Histogram } from '../../../src/data/index.ts'
import { decodeRemoteWrite } from '../../../src/ingest/metrics/index.ts'
import { createMetricReadService } from '../../../src/server/index.ts'
import { crc32c } from '../../../src/server/metrics/remote-read/frames.ts'
import { XorChunk } from '../../../src/server/metrics/remote-read/xor-chunk.ts'
import { filedStore } from '../../../src/fuzz/promql/filed-store.ts'
import { SampleStore, type NewSample } from '../../../src/store/index.ts'
import { random } from '../../backends/columnar/series/metrics.ts'
import { KEY, appOf, zoneIsEu } from '../harness/harness.ts'

const clock = { nowMs: () => performance.now(), nowNs: () => 1_767_225_600_000_000_000n }
const limits = { memoryBytes: 2 ** 26, timeoutMs: 120_000, scanRows: Number.MAX_SAFE_INTEGER }

function appOver(store: SampleStore, more: object = {}, overrides: object = {}): ReturnType<typeof appOf> {
  return appOf({
    metricRead: createMetricReadService({ sourceOf: () => store.reader, clock, limits, ...more }),
    ...overrides,
  })
}

type Matcher = readonly [type: number, name: string, value: string]

function request(
  queries: readonly (readonly [number, number, readonly Matcher[]])[],
  types: readonly number[] = [],
): Uint8Array {
  const writer = protobuf.Writer.create()
  for (const [startMs, endMs, matchers] of queries) {
    writer.uint32(10).fork()
    writer.uint32(8).int64(startMs).uint32(16).int64(endMs)
    for (const [type, name, value] of matchers) {
      writer.uint32(26).fork()
      writer.uint32(8).int32(type).uint32(18).string(name).uint32(26).string(value)
      writer.ldelim()
    }
    writer.ldelim()
  }
  for (const type of types) writer.uint32(16).int32(type)
  return snappy.compress(writer.finish())
}

async function ask(app: ReturnType<typeof appOf>, body: Uint8Array, headers: Readonly<Record<string, string>> = {}) {
  const response = await app.fetch(
    new Request('http://localhost/api/v1/read', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${KEY}`,
        'Content-Type': 'application/x-protobuf',
        'Content-Encoding': 'snappy',
        ...headers,
      },
      body: Uint8Array.from(body),
    }),
  )
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** Decodes the results of an answer as remote-write messages, whose series have the same encoding. */
function resultsOf(bytes: Uint8Array): readonly ReturnType<typeof decodeRemoteWrite>[] {
  const reader = protobuf.Reader.create(snappy.uncompress(bytes))
  const results: ReturnType<typeof decodeRemoteWrite>[] = []
  while (reader.pos < reader.len) {
    expect(reader.uint32()).toBe(10)
    results.push(decodeRemoteWrite(snappy.compress(reader.bytes()), { version: 1, limitBytes: 2 ** 26 }))
  }
  return results
}

function storeOf(series: Readonly<Record<string, readonly NewSample[]>>): SampleStore {
  const store = new SampleStore()
  for (const [name, samples] of Object.entries(series)) {
    const [metric = '', zone = ''] = name.split('@')
    for (const sample of samples) store.writer.append(Labels.of({ __name__: metric, zone }), sample)
  }
  return store
}

const line = (count: number, value: (i: number) => number): readonly NewSample[] =>
  Array.from({ length: count }, (_, i) => ({ timeMs: i * 1000, value: value(i) }))

const store = storeOf({
  'load@eu': line(5, (i) => i / 3),
  'load@us': line(5, (i) => -i),
  'gone@eu': [
    { timeMs: 0, value: 7 },
    { timeMs: 1000, value: NaN, isStale: true },
    { timeMs: 2000, value: NaN },
  ],
})
const app = appOver(store)

describe('samples', () => {
  test('of each query, in its range with both ends, packed', async () => {
    const body = request([
      [1000, 3000, [[0, '__name__', 'load']]],
      [
        0,
        9000,
        [
          [2, '__name__', 'l.*'],
          [1, 'zone', 'eu'],
        ],
      ],
      [0, 9000, [[0, '__name__', 'nothing']]],
      [0, 9000, [[3, 'zone', 'e.']]],
    ])
    const { status, headers, bytes } = await ask(app, body)
    expect([status, headers.get('content-type'), headers.get('content-encoding')]).toEqual([
      200,
      'application/x-protobuf',
      'snappy',
    ])
    const found = resultsOf(bytes).map(({ samples }) =>
      samples.map(({ labels, timeMs, value }) => `${labels.get('zone')} ${timeMs} ${value}`),
    )
    expect(found[0]).toEqual([
      'eu 1000 0.3333333333333333',
      'eu 2000 0.6666666666666666',
      'eu 3000 1',
      'us 1000 -1',
      'us 2000 -2',
      'us 3000 -3',
    ])
    expect(found.slice(1).map((samples) => samples.length)).toEqual([5, 0, 5])
  })

  test('a marker that a series is gone stays one, and NaN stays NaN', async () => {
    const { bytes } = await ask(app, request([[0, 9000, [[0, '__name__', 'gone']]]]))
    const samples = resultsOf(bytes)[0]?.samples ?? []
    expect(samples.map(({ value, isStale }) => [Number.isNaN(value), isStale])).toEqual([
      [false, false],
      [true, true],
      [true, false],
    ])
  })

  test('native histograms come back as they are, also to who wants chunks', async () => {
    const given: readonly Histogram[] = [
      {
        ...EMPTY_HISTOGRAM,
        count: 9,
        sum: 4.5,
        schema: 2,
        zeroThreshold: 0.01,
        zeroCount: 1,
        hint: 'reset',
        positive: { indexes: [-3, -2, 5], counts: [1, 2, 3] },
        negative: denseBuckets(1, [2]),
      },
      {
        ...EMPTY_HISTOGRAM,
        count: 3,
        sum: 7,
        schema: CUSTOM_SCHEMA,
        bounds: [1, 2.5],
        positive: denseBuckets(0, [1, 0, 2]),
        hint: 'gauge',
      },
    ]
    const natives = appOver(storeOf({ 'h@eu': given.map((histogram, i) => ({ timeMs: i, value: 0, histogram })) }))
    const { headers, bytes } = await ask(natives, request([[0, 9, [[0, '__name__', 'h']]]], [1]))
    expect(headers.get('content-type')).toBe('application/x-protobuf')
    expect(resultsOf(bytes)[0]?.samples.map(({ histogram }) => histogram)).toEqual(given)
  })

  test('hidden series are in no answer', async () => {
    const scoped = appOver(store, {}, { access: { accessOf: () => ({ roles: undefined, scope: () => zoneIsEu }) } })
    for (const types of [[0], [1]]) {
      const { bytes } = await ask(
        scoped,
        request(
          [
            [0, 9000, [[2, '__name__', '.+']]],
            [0, 9000, [[0, 'zone', 'us']]],
          ],
          types,
        ),
      )
      expect(Buffer.from(types[0] === 0 ? snappy.uncompress(bytes) : bytes).toString('latin1')).not.toContain('us')
    }
  })

  test.each<[string, Uint8Array, RegExp]>([
    ['not Snappy', Uint8Array.of(255, 255), /remote-read request/],
    ['not a message', snappy.compress(Uint8Array.of(10, 200)), /remote-read request/],
    ['a kind of matcher that there is not', request([[0, 1, [[7, 'a', 'b']]]]), /kind that there is not/],
    ['a pattern that cannot be read', request([[0, 1, [[2, 'a', '(']]]]), /remote-read request/],
  ])('%s is refused with the members of errors', async (_, body, message) => {
    const { status, bytes } = await ask(app, body)
    expect(status).toBe(400)
    const error = JSON.parse(Buffer.from(bytes).toString()) as Record<string, string>
    expect(error).toMatchObject({ status: 'error', errorType: 'bad_data' })
    expect(error['error']).toMatch(message)
  })

  test('samples in files are charged before they are read', async () => {
    const labels = Labels.of({ __name__: 'load' })
    const filed = filedStore(line(2000, (i) => i).map((sample) => ({ labels, ...sample })))
    const all = request([[0, 2_000_000, [[0, '__name__', 'load']]]])
    expect((await ask(appOver(filed), all)).status).toBe(200)
    const { status, bytes } = await ask(appOver(filed, { limits: { ...limits, memoryBytes: 20_000 } }), all)
    expect([status, Buffer.from(bytes).toString()]).toEqual([422, expect.stringContaining('memory')])
  })

  test('more samples than a query may read, or more bytes than an answer may have, are refused', async () => {
    const all = request([[0, 9000, [[2, '__name__', '.+']]]])
    expect((await ask(appOver(store, { limitSamples: 3 }), all)).status).toBe(422)
    expect((await ask(app, all, { 'Content-Type': 'application/json' })).status).toBe(415)
  })
})

/** Reference implementation: decodes a chunk bit by bit. */
function readChunk(chunk: Uint8Array): readonly (readonly [number, bigint])[] {
  let bits = ''
  for (const byte of chunk.subarray(2)) bits += byte.toString(2).padStart(8, '0')
  let at = 0
  const take = (count: number): bigint => BigInt(`0b${bits.slice(at, (at += count))}`)
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = take(8)
      value |= (byte & 127n) << shift
      if (byte < 128n) return value
    }
  }
  const signed = (count: number): bigint => {
    const value = take(count)
    return value > 1n << BigInt(count - 1) ? value - (1n << BigInt(count)) : value
  }
  const samples: [number, bigint][] = []
  let [time, delta, value, leading, trailing] = [0n, 0n, 0n, 0n, 0n]
  const change = (): bigint => {
    if (take(1) === 0n) return 0n
    for (const count of [14, 17, 20]) if (take(1) === 0n) return signed(count)
    return BigInt.asIntN(64, take(64))
  }
  for (let i = 0; i < (chunk[0] ?? 0) * 256 + (chunk[1] ?? 0); i++) {
    if (i === 0) {
      const raw = varint()
      time = (raw >> 1n) ^ -(raw & 1n)
      value = take(64)
    } else {
      delta = i === 1 ? varint() : delta + change()
      time += delta
      if (take(1) === 1n) {
        if (take(1) === 1n) {
          leading = take(5)
          const count = take(6)
          trailing = 64n - leading - (count === 0n ? 64n : count)
        }
        value ^= take(Number(64n - leading - trailing)) << trailing
      }
    }
    samples.push([Number(time), value])
  }
  return samples
}

const float = new Float64Array(1)
const word = new BigUint64Array(float.buffer)
function bitsOf(value: number): bigint {
  float[0] = value
  return word[0] ?? 0n
}

describe('chunks', () => {
  test('the checksum is Castagnoli’s', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
  })

  test('one chunk, byte by byte', () => {
    const chunk = new XorChunk()
    for (const [timeMs, value] of [
      [1000, 12],
      [2000, 12],
      [3000, 24],
    ] as const)
      chunk.append(timeMs, value, false)
    // A count of two bytes; 1000 as a signed varint; 12.0; 1000. Then bits: same value, same time difference, and 11
    // leading zeros before the one bit in which 24.0 differs.
    expect(Buffer.from(chunk.done()).toString('hex')).toBe('0003d00f4028000000000000e8073583')
    expect(readChunk(chunk.done())).toEqual([
      [1000, bitsOf(12)],
      [2000, bitsOf(12)],
      [3000, bitsOf(24)],
    ])
  })

  test.each([1, 2, 3, 4, 5, 6])('times and values of all kinds come back, seed %i', (seed) => {
    const next = random(seed)
    const chunk = new XorChunk()
    const given: [number, bigint][] = []
    let timeMs = next() < 0.3 ? -5000 : 1.7e12
    for (let i = 0; i < 120; i++) {
      const step = 10 ** Math.floor(next() * 8)
      timeMs += 1 + Math.floor(next() * step)
      const kind = next()
      const isStale = kind < 0.05
      const value =
        kind < 0.1
          ? NaN
          : kind < 0.4
            ? Math.floor(next() * 10)
            : kind < 0.7
              ? next() * 1e6
              : kind < 0.8
                ? -Infinity
                : 5e-324
      chunk.append(timeMs, value, isStale)
      given.push([timeMs, isStale ? 0x7ff0000000000002n : bitsOf(value)])
    }
    expect(readChunk(chunk.done())).toEqual(given)
  })

  test('series by series, at most 120 samples a chunk, each frame with its length and checksum', async () => {
    const long = appOver(storeOf({ 'a@eu': line(250, (i) => i * 1.5), 'b@eu': line(1, () => 3) }))
    const query = [0, 10 ** 9, [[2, '__name__', '.+']]] as const
    const { headers, bytes } = await ask(long, request([query, [0, 0, [[0, '__name__', 'b']]]], [1]))
    expect(headers.get('content-type')).toBe('application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse')
    const found: unknown[] = []
    const reader = protobuf.Reader.create(bytes)
    while (reader.pos < reader.len) {
      const length = reader.uint32()
      const sum = new DataView(bytes.buffer, reader.pos).getUint32(0)
      const message = bytes.subarray(reader.pos + 4, reader.pos + 4 + length)
      expect(crc32c(message)).toBe(sum)
      reader.skip(4 + length)
      const inner = protobuf.Reader.create(message)
      let chunks: readonly number[] = []
      let index = -1
      while (inner.pos < inner.len) {
        const tag = inner.uint32()
        if (tag >>> 3 === 2) index = Number(inner.int64())
        else {
          const series = protobuf.Reader.create(inner.bytes())
          while (series.pos < series.len) {
            const field = series.uint32() >>> 3
            const part = protobuf.Reader.create(series.bytes())
            if (field !== 2) continue
            while (part.pos < part.len) {
              const of = part.uint32()
              if (of >>> 3 !== 4) part.skipType(of & 7)
              else chunks = [...chunks, readChunk(part.bytes()).length]
            }
          }
        }
      }
      found.push([index, ...chunks])
    }
    expect(found).toEqual([
      [0, 120, 120, 10],
      [0, 1],
      [1, 1],
    ])
  })
})
