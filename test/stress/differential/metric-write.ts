import protobuf from 'protobufjs'
import snappy from 'snappyjs'
import type { BucketList, Histogram, Labels, ResetHint } from '../../../src/data/index.ts'
import type { FuzzSample } from '../../../src/fuzz/promql/dataset.ts'

type Writer = protobuf.Writer

const VARINT = 0
const FIXED64 = 1
const BYTES = 2

function tag(field: number, wireType: number): number {
  return (field << 3) | wireType
}

/** High and low 32 bits of a staleness marker. */
const STALE = [0x7ff00000, 2] as const

const hints: readonly ResetHint[] = ['unknown', 'reset', 'not-reset', 'gauge']

function writeLabels(writer: Writer, labels: Labels): void {
  // The protocol requires labels sorted by name.
  for (const [name, value] of Object.entries(labels.toRecord()).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    writer.uint32(tag(1, BYTES)).fork()
    writer.uint32(tag(1, BYTES)).string(name).uint32(tag(2, BYTES)).string(value).ldelim()
  }
}

/** Writes histogram buckets as spans of adjacent indexes, and the differences between successive counts. */
function writeBuckets(writer: Writer, { indexes, counts }: BucketList, spansField: number, deltasField: number): void {
  let next = 0
  for (let at = 0; at < indexes.length;) {
    const start = indexes[at] ?? 0
    let length = 1
    while (indexes[at + length] === start + length) length++
    writer.uint32(tag(spansField, BYTES)).fork()
    writer
      .uint32(tag(1, VARINT))
      .sint32(start - next)
      .uint32(tag(2, VARINT))
      .uint32(length)
      .ldelim()
    next = start + length
    at += length
  }
  if (counts.length === 0) return
  writer.uint32(tag(deltasField, BYTES)).fork()
  for (const [i, count] of counts.entries()) writer.sint64(count - (counts[i - 1] ?? 0))
  writer.ldelim()
}

function writeHistogram(writer: Writer, histogram: Histogram, timeMs: number): void {
  writer.uint32(tag(1, VARINT)).uint64(histogram.count)
  writer.uint32(tag(3, FIXED64)).double(histogram.sum)
  writer.uint32(tag(4, VARINT)).sint32(histogram.schema)
  writer.uint32(tag(5, FIXED64)).double(histogram.zeroThreshold)
  writer.uint32(tag(6, VARINT)).uint64(histogram.zeroCount)
  writeBuckets(writer, histogram.negative, 8, 9)
  writeBuckets(writer, histogram.positive, 11, 12)
  writer.uint32(tag(14, VARINT)).int32(hints.indexOf(histogram.hint))
  writer.uint32(tag(15, VARINT)).int64(timeMs)
  if (histogram.bounds.length === 0) return
  writer.uint32(tag(16, BYTES)).fork()
  for (const bound of histogram.bounds) writer.double(bound)
  writer.ldelim()
}

function writeFloat(writer: Writer, { value, isStale, timeMs }: FuzzSample): void {
  writer.uint32(tag(1, FIXED64))
  if (isStale === true) writer.fixed32(STALE[1]).fixed32(STALE[0])
  else writer.double(value)
  writer.uint32(tag(2, VARINT)).int64(timeMs)
}

/**
 * Returns a compressed remote-write request of version 1, which has no start times. Floats and histograms of one series
 * go into separate entries in order of time, because servers accept only one kind in an entry.
 */
export function remoteWriteBody(samples: readonly FuzzSample[]): Uint8Array<ArrayBuffer> {
  const writer = protobuf.Writer.create()
  for (let at = 0; at < samples.length;) {
    const first = samples[at]
    if (first === undefined) break
    const isHistogram = first.histogram !== undefined
    writer.uint32(tag(1, BYTES)).fork()
    writeLabels(writer, first.labels)
    for (; at < samples.length; at++) {
      const sample = samples[at]
      if (sample?.labels !== first.labels || (sample.histogram !== undefined) !== isHistogram) break
      writer.uint32(tag(isHistogram ? 4 : 2, BYTES)).fork()
      if (sample.histogram === undefined) writeFloat(writer, sample)
      else writeHistogram(writer, sample.histogram, sample.timeMs)
      writer.ldelim()
    }
    writer.ldelim()
  }
  return new Uint8Array(snappy.compress(new Uint8Array(writer.finish())))
}
