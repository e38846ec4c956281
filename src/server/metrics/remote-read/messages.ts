import protobuf from 'protobufjs'
import { isCustom, type BucketList, type Histogram, type Labels } from '../../../data/index.ts'
import { STALE_HIGH, STALE_LOW } from '../../../ingest/metrics/index.ts'
import type { SeriesSamples } from '../../../store/index.ts'

type Writer = protobuf.Writer

const HINTS = ['unknown', 'reset', 'not-reset', 'gauge'] as const

/** Returns the protobuf tag of a field: field number and wire type. */
export const bytesField = (field: number): number => (field << 3) | 2
export const varintField = (field: number): number => field << 3
const doubleField = (field: number): number => (field << 3) | 1

export function writeLabels(writer: Writer, field: number, labels: Labels): void {
  for (const [name, value] of labels.toPairs()) {
    writer.uint32(bytesField(field)).fork()
    writer.uint32(bytesField(1)).string(name).uint32(bytesField(2)).string(value)
    writer.ldelim()
  }
}

/** Returns the spans of adjacent buckets; `offset` is the distance from the previous span. */
function spansOf(indexes: readonly number[]): readonly { readonly offset: number; readonly length: number }[] {
  const spans: { offset: number; length: number }[] = []
  let next = 0
  for (const index of indexes) {
    const last = spans.at(-1)
    if (last !== undefined && index === next) last.length++
    else spans.push({ offset: index - next, length: 1 })
    next = index + 1
  }
  return spans
}

function writeSide(writer: Writer, { indexes, counts }: BucketList, spanField: number, countField: number): void {
  for (const { offset, length } of spansOf(indexes)) {
    writer.uint32(bytesField(spanField)).fork()
    writer.uint32(varintField(1)).sint32(offset).uint32(varintField(2)).uint32(length)
    writer.ldelim()
  }
  if (counts.length === 0) return
  writer.uint32(bytesField(countField)).fork()
  for (const count of counts) writer.double(count)
  writer.ldelim()
}

function writeHistogram(writer: Writer, histogram: Histogram, timeMs: number): void {
  const { count, sum, schema, zeroThreshold, zeroCount, negative, positive, bounds, hint } = histogram
  writer.uint32(doubleField(2)).double(count)
  writer.uint32(doubleField(3)).double(sum)
  writer.uint32(varintField(4)).sint32(schema)
  writer.uint32(doubleField(5)).double(zeroThreshold)
  writer.uint32(doubleField(7)).double(zeroCount)
  writeSide(writer, negative, 8, 10)
  writeSide(writer, positive, 11, 13)
  writer.uint32(varintField(14)).int32(HINTS.indexOf(hint))
  writer.uint32(varintField(15)).int64(timeMs)
  if (!isCustom(histogram)) return
  writer.uint32(bytesField(16)).fork()
  for (const bound of bounds) writer.double(bound)
  writer.ldelim()
}

/** Encodes a series with its samples as a `prometheus.TimeSeries`. */
export function timeSeriesMessage(series: SeriesSamples): Uint8Array {
  const { labels, timesMs, values, staleness, histograms } = series
  const writer = protobuf.Writer.create()
  writeLabels(writer, 1, labels)
  for (let i = 0; i < timesMs.length; i++) {
    const timeMs = timesMs[i] ?? 0
    const histogram = histograms?.[i]
    if (histogram === undefined) {
      writer.uint32(bytesField(2)).fork()
      writer.uint32(doubleField(1))
      if (staleness?.[i] === 1) writer.fixed32(STALE_LOW).fixed32(STALE_HIGH)
      else writer.double(values[i] ?? 0)
      writer.uint32(varintField(2)).int64(timeMs)
    } else {
      writer.uint32(bytesField(4)).fork()
      writeHistogram(writer, histogram, timeMs)
    }
    writer.ldelim()
  }
  return writer.finish()
}

/** Encodes a tag and a length, which precede a nested message. */
export function framed(tag: number, length: number): Uint8Array {
  return protobuf.Writer.create().uint32(tag).uint32(length).finish()
}
