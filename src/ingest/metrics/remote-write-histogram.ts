import protobuf from 'protobufjs'
import { CUSTOM_SCHEMA, NO_BUCKETS, type BucketList, type Histogram, type ResetHint } from '../../data/index.ts'

const { root } = protobuf.parse(`
  syntax = "proto3";
  message Span { sint32 offset = 1; uint32 length = 2; }
  message Histogram {
    oneof total { uint64 countInt = 1; double countFloat = 2; }
    double sum = 3; sint32 schema = 4; double zeroThreshold = 5;
    oneof zeros { uint64 zeroCountInt = 6; double zeroCountFloat = 7; }
    repeated Span negativeSpans = 8; repeated sint64 negativeDeltas = 9; repeated double negativeCounts = 10;
    repeated Span positiveSpans = 11; repeated sint64 positiveDeltas = 12; repeated double positiveCounts = 13;
    int32 resetHint = 14; int64 timestamp = 15; repeated double customValues = 16; int64 startTimestamp = 17;
  }
`)
root.resolveAll()

/** A native histogram; both versions of remote write use the same message. */
export const HISTOGRAM = root.lookupType('Histogram')

type Integer = number | bigint

interface Span {
  readonly offset?: number
  readonly length?: number
}

/** The sent members of a histogram. */
interface SentHistogram {
  readonly countInt?: Integer
  readonly countFloat?: number
  readonly sum?: number
  readonly schema?: number
  readonly zeroThreshold?: number
  readonly zeroCountInt?: Integer
  readonly zeroCountFloat?: number
  readonly negativeSpans?: readonly Span[]
  readonly negativeDeltas?: readonly Integer[]
  readonly negativeCounts?: readonly number[]
  readonly positiveSpans?: readonly Span[]
  readonly positiveDeltas?: readonly Integer[]
  readonly positiveCounts?: readonly number[]
  readonly resetHint?: number
  readonly timestamp?: Integer
  readonly customValues?: readonly number[]
  readonly startTimestamp?: Integer
}

const HINTS: readonly ResetHint[] = ['unknown', 'reset', 'not-reset', 'gauge']

/** Returns buckets from their sent form. Spans contain the indexes of the buckets; integer counts are differences. */
function toBuckets(
  spans: readonly Span[] = [],
  deltas: readonly Integer[] = [],
  counts: readonly number[] = [],
): BucketList {
  if (spans.length === 0) return NO_BUCKETS
  const list = { indexes: [] as number[], counts: [] as number[] }
  const size = counts.length > 0 ? counts.length : deltas.length
  let index = 0
  let at = 0
  let running = 0
  for (const { offset = 0, length = 0 } of spans) {
    index += offset
    for (let i = 0; i < length && at < size; i++, index++, at++) {
      running += Number(deltas[at] ?? 0)
      const count = counts.length > 0 ? (counts[at] ?? 0) : running
      if (count === 0) continue
      list.indexes.push(index)
      list.counts.push(count)
    }
  }
  return list
}

/** A native histogram with its times in milliseconds since 1970; 0 when there is none. */
export interface TimedHistogram {
  readonly histogram: Histogram
  readonly timeMs: number
  readonly startTimeMs: number
}

export function histogramOf(sent: SentHistogram): TimedHistogram {
  const { sum = 0, schema = 0, zeroThreshold = 0, resetHint = 0, customValues = [] } = sent
  return {
    timeMs: Number(sent.timestamp ?? 0),
    startTimeMs: Number(sent.startTimestamp ?? 0),
    histogram: {
      count: Number(sent.countInt ?? sent.countFloat ?? 0),
      sum,
      schema,
      zeroThreshold,
      zeroCount: Number(sent.zeroCountInt ?? sent.zeroCountFloat ?? 0),
      positive: toBuckets(sent.positiveSpans, sent.positiveDeltas, sent.positiveCounts),
      negative: toBuckets(sent.negativeSpans, sent.negativeDeltas, sent.negativeCounts),
      bounds: schema === CUSTOM_SCHEMA ? customValues : [],
      hint: HINTS[resetHint] ?? 'unknown',
    },
  }
}
