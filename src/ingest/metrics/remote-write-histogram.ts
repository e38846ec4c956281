import protobuf from 'protobufjs'
import { CUSTOM_SCHEMA, NO_BUCKETS, type BucketList, type Histogram, type ResetHint } from '../../data/index.ts'
import { LENGTH_DELIMITED, toNumber } from '../protobuf.ts'

type Reader = protobuf.Reader

interface Span {
  readonly offset: number
  readonly length: number
}

interface Side {
  readonly spans: Span[]
  readonly deltas: number[]
  readonly counts: number[]
}

const HINTS: readonly ResetHint[] = ['unknown', 'reset', 'not-reset', 'gauge']

/** A repeated number, packed or one at a time. */
function readNumbers(reader: Reader, wireType: number, into: number[], read: () => number): void {
  if (wireType !== LENGTH_DELIMITED) {
    into.push(read())
    return
  }
  const end = reader.uint32() + reader.pos
  while (reader.pos < end) into.push(read())
}

function readSpan(reader: Reader): Span {
  const end = reader.uint32() + reader.pos
  let offset = 0
  let length = 0
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1) offset = reader.sint32()
    else if (tag >>> 3 === 2) length = reader.uint32()
    else reader.skipType(tag & 7)
  }
  return { offset, length }
}

/** Spans say where the buckets lie; integer counts come as differences. */
function toBuckets({ spans, deltas, counts }: Side): BucketList {
  if (spans.length === 0) return NO_BUCKETS
  const list = { indexes: [] as number[], counts: [] as number[] }
  const size = counts.length > 0 ? counts.length : deltas.length
  let index = 0
  let at = 0
  let running = 0
  for (const { offset, length } of spans) {
    index += offset
    for (let i = 0; i < length && at < size; i++, index++, at++) {
      running += deltas[at] ?? 0
      const count = counts.length > 0 ? (counts[at] ?? 0) : running
      if (count === 0) continue
      list.indexes.push(index)
      list.counts.push(count)
    }
  }
  return list
}

/** A native histogram of a message with its times in Unix milliseconds, 0 where there is none. */
export interface TimedHistogram {
  readonly histogram: Histogram
  readonly timeMs: number
  readonly startTimeMs: number
}

/** `end` is where it ends in the reader. */
export function readHistogram(reader: Reader, end: number): TimedHistogram {
  const positive: Side = { spans: [], deltas: [], counts: [] }
  const negative: Side = { spans: [], deltas: [], counts: [] }
  const bounds: number[] = []
  let timeMs = 0
  let startTimeMs = 0
  let histogram = { count: 0, sum: 0, schema: 0, zeroThreshold: 0, zeroCount: 0, hint: 0 }
  const set = (change: Partial<typeof histogram>): void => {
    histogram = { ...histogram, ...change }
  }
  while (reader.pos < end) {
    const tag = reader.uint32()
    const wireType = tag & 7
    switch (tag >>> 3) {
      case 1:
        set({ count: toNumber(reader.uint64()) })
        break
      case 2:
        set({ count: reader.double() })
        break
      case 3:
        set({ sum: reader.double() })
        break
      case 4:
        set({ schema: reader.sint32() })
        break
      case 5:
        set({ zeroThreshold: reader.double() })
        break
      case 6:
        set({ zeroCount: toNumber(reader.uint64()) })
        break
      case 7:
        set({ zeroCount: reader.double() })
        break
      case 8:
        negative.spans.push(readSpan(reader))
        break
      case 9:
        readNumbers(reader, wireType, negative.deltas, () => toNumber(reader.sint64()))
        break
      case 10:
        readNumbers(reader, wireType, negative.counts, () => reader.double())
        break
      case 11:
        positive.spans.push(readSpan(reader))
        break
      case 12:
        readNumbers(reader, wireType, positive.deltas, () => toNumber(reader.sint64()))
        break
      case 13:
        readNumbers(reader, wireType, positive.counts, () => reader.double())
        break
      case 14:
        set({ hint: reader.int32() })
        break
      case 15:
        timeMs = toNumber(reader.int64())
        break
      case 16:
        readNumbers(reader, wireType, bounds, () => reader.double())
        break
      case 17:
        startTimeMs = toNumber(reader.int64())
        break
      default:
        reader.skipType(wireType)
    }
  }
  const { hint, ...numbers } = histogram
  return {
    timeMs,
    startTimeMs,
    histogram: {
      ...numbers,
      positive: toBuckets(positive),
      negative: toBuckets(negative),
      bounds: histogram.schema === CUSTOM_SCHEMA ? bounds : [],
      hint: HINTS[hint] ?? 'unknown',
    },
  }
}
