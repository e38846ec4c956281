import { MAX_CACHED } from '../../base/index.ts'
import { Labels } from '../../data/index.ts'
import { KnownBytes } from '../metrics/known-labels.ts'
import type { MetricColumns } from '../metrics/metric-columns.ts'
import { labelsFault } from '../metrics/metric-sample.ts'
import { MessageReader } from '../otlp/message-reader.ts'
import { PartCount } from '../part-count.ts'
import { SentBytes } from '../sent-bytes.ts'
import { exponentialHistogram } from './exponential.ts'
import { NO_RECORDED_VALUE, isAscending, seriesLabels, type Family, type PlaceLabels } from './family.ts'
import { MAX_BUCKET_SETS, MAX_POINT_BUCKETS } from '../tuning.ts'
import { attributesOf } from './members.ts'
import { boundText } from './names.ts'
import type { Attribute, ExponentialBuckets, SentPointTaker } from './points.ts'
import { POINT_TYPES } from './read-protobuf.ts'

/** What is known of attributes as they were sent with points of a family. */
interface KnownAttributes {
  readonly number: number
  /** Those of the body that reading them takes. */
  readonly parts: number
  /** Of the series without a suffix; of histograms with buckets nothing. */
  readonly labels: Labels
}

/** The series of a histogram with some attributes and bounds. */
interface BucketLabels {
  /** Behind those of the bounds one without an upper bound, unless that is the last of them. */
  readonly buckets: readonly Labels[]
  readonly bounds: number
  readonly sum: Labels
  readonly count: Labels
}

/** Of this thread: what is the same in every export of a sender. */
const families = new Map<string, number>()
const knownAttributes = new KnownBytes<KnownAttributes>()
const knownBuckets = new KnownBytes<BucketLabels>(MAX_BUCKET_SETS)
let lastNumber = 0

/** Numbers are given once, so that what is still known of forgotten ones is never found. */
function nextNumber(): number {
  lastNumber = (lastNumber + 1) & 0x3fffffff
  return lastNumber
}

const NO_BUCKETS: ExponentialBuckets = { offset: 0, counts: [] }

/**
 * Points of an export as they lie in it. Whatever is unusual in one (exemplars, attributes that do not follow each other, fields in another
 * wire type, what is to be refused) has it read as an object instead, so that both ways give the same samples.
 */
export class SentPoints extends SentBytes implements SentPointTaker {
  /** Of the point that was taken last, Unix milliseconds. */
  timeMs = 0
  readonly #parts: PartCount
  readonly #receivedMs: number
  readonly #columns: MetricColumns
  readonly #reader: MessageReader
  /** Of attributes that are read for the first time. */
  readonly #attributeParts = new PartCount(Infinity)
  #place: PlaceLabels | undefined
  #placeKey = ''
  #family: Family | undefined
  #familyNumber = 0
  /** Points so far. */
  #points = 0

  constructor(bytes: Uint8Array, parts: PartCount, columns: MetricColumns, receivedMs: number) {
    super(bytes)
    this.#parts = parts
    this.#columns = columns
    this.#receivedMs = receivedMs
    this.#reader = new MessageReader(bytes, this.#attributeParts)
  }

  /** The taker of points of a family, before which there were so many; `undefined` for one whose points are all read as objects. */
  takerOf(family: Family, place: PlaceLabels, points: number): this | undefined {
    const { name, metric } = family
    const { kind, temporality } = metric
    if (name === '' || kind === undefined || kind === 'summary') return undefined
    if (kind !== 'gauge' && temporality === 'unspecified') return undefined
    if (this.#place !== place) {
      this.#place = place
      this.#placeKey = `${Labels.from(place.weak).key}\0${Labels.from(place.strong).key}\0`
    }
    const key = `${this.#placeKey}${kind} ${name}`
    let number = families.get(key)
    if (number === undefined) {
      if (families.size >= MAX_CACHED) families.clear()
      families.set(key, (number = nextNumber()))
    }
    this.#familyNumber = number
    this.#family = family
    this.#points = points
    return this
  }

  take(start: number, end: number): boolean {
    this.#points++
    const family = this.#family
    if (family === undefined) return false
    switch (family.metric.kind) {
      case 'histogram':
        return this.#histogram(family, start, end)
      case 'exponential':
        return this.#exponential(family, start, end)
      default:
        return this.#number(family, start, end)
    }
  }

  get #deltaPoint(): number {
    return this.#family?.metric.temporality === 'delta' ? this.#points : 0
  }

  /** Sets the time of the point that is taken. */
  #begin(timeMs: number): void {
    this.timeMs = timeMs === 0 ? this.#receivedMs : timeMs
  }

  #add(labels: Labels, value: number, isStale: boolean, startTimeMs: number): void {
    this.#parts.addLabels(labels.size)
    const columns = this.#columns
    if (isStale) {
      columns.add({ timeMs: this.timeMs, value: NaN, isStale, startTimeMs, deltaPoint: this.#deltaPoint })
    } else columns.addNumber(this.timeMs, value, startTimeMs, this.#deltaPoint)
    columns.endRun(labels)
  }

  #number(family: Family, start: number, end: number): boolean {
    const { bytes, view } = this
    let [attributesStart, attributesEnd] = [0, 0]
    let [startTimeMs, timeMs, flags, value] = [0, 0, 0, 0]
    let hasValue = false
    let at = start
    while (at < end) {
      const tag = bytes[at++] ?? 0
      if (tag === 0x3a) {
        if (attributesStart === 0) attributesStart = at - 1
        else if (attributesEnd !== at - 1) return false
        at = attributesEnd = this.#endOfMessage(at)
        if (!(at <= end)) return false
      } else if (tag === 0x40) {
        flags = bytes[at++] ?? 0
        if (flags >= 0x80) return false
      } else {
        if (at + 8 > end) return false
        if (tag === 0x11) startTimeMs = this.#msAt(at)
        else if (tag === 0x19) timeMs = this.#msAt(at)
        else if (tag === 0x21) value = view.getFloat64(at, true)
        else if (tag === 0x31) value = view.getInt32(at + 4, true) * 2 ** 32 + this.word(at)
        else return false
        hasValue ||= tag === 0x21 || tag === 0x31
        at += 8
      }
    }
    const isStale = (flags & NO_RECORDED_VALUE) !== 0
    if (at !== end || !(hasValue || isStale)) return false
    const known = this.#attributes(family, attributesStart, attributesEnd)
    if (known === undefined) return false
    this.#begin(timeMs)
    this.#parts.add(known.parts)
    this.#add(known.labels, value, isStale, family.metric.kind === 'gauge' ? 0 : startTimeMs)
    return true
  }

  #histogram(family: Family, start: number, end: number): boolean {
    const { bytes, view } = this
    let [attributesStart, attributesEnd, boundsStart, boundsEnd, countsStart, countsEnd] = [0, 0, 0, 0, 0, 0]
    let [startTimeMs, timeMs, flags, count, sum, passed] = [0, 0, 0, 0, 0, 0]
    let hasSum = false
    let at = start
    while (at < end) {
      const tag = bytes[at++] ?? 0
      if ((tag & 7) === 2) {
        const first = at - 1
        at = this.#endOfMessage(at)
        if (!(at <= end)) return false
        if (tag === 0x4a) {
          if (attributesStart === 0) attributesStart = first
          else if (attributesEnd !== first) return false
          attributesEnd = at
        } else if (tag === 0x32 && countsEnd === 0) [countsStart, countsEnd] = [this.at, at]
        else if (tag === 0x3a && boundsEnd === 0) [boundsStart, boundsEnd] = [this.at, at]
        else return false
      } else if (tag === 0x50) {
        flags = bytes[at++] ?? 0
        if (flags >= 0x80) return false
      } else {
        if (at + 8 > end) return false
        if (tag === 0x11) startTimeMs = this.#msAt(at)
        else if (tag === 0x19) timeMs = this.#msAt(at)
        else if (tag === 0x21) count = this.#fixed64(at)
        else if (tag === 0x29) {
          sum = view.getFloat64(at, true)
          hasSum = true
        } else if (tag === 0x59 || tag === 0x61) passed++
        else return false
        at += 8
      }
    }
    const bounds = (boundsEnd - boundsStart) / 8
    const counts = (countsEnd - countsStart) / 8
    if (at !== end || !Number.isInteger(bounds) || !Number.isInteger(counts)) return false
    if (bounds >= MAX_POINT_BUCKETS || (counts !== bounds + 1 && counts !== 0)) return false
    const known = this.#attributes(family, attributesStart, attributesEnd)
    if (known === undefined) return false
    const labels = this.#buckets(family, known, [attributesStart, attributesEnd], [boundsStart, boundsEnd])
    if (labels === undefined) return false
    for (; passed > 0; passed--) this.#parts.pass()
    this.#parts.add(known.parts + counts + bounds)
    this.#begin(timeMs)
    const isStale = (flags & NO_RECORDED_VALUE) !== 0
    let running = 0
    for (const [i, own] of labels.buckets.entries()) {
      if (i < counts) running += this.#fixed64(countsStart + 8 * i)
      this.#add(own, i < labels.bounds ? running : count, isStale, startTimeMs)
    }
    if (hasSum || isStale) this.#add(labels.sum, sum, isStale, startTimeMs)
    this.#add(labels.count, count, isStale, startTimeMs)
    return true
  }

  #exponential(family: Family, start: number, end: number): boolean {
    const { bytes, view } = this
    let [attributesStart, attributesEnd] = [0, 0]
    let [startTimeMs, timeMs, flags, count, scale, zeroCount, zeroThreshold, passed] = [0, 0, 0, 0, 0, 0, 0, 0]
    let sum: number | undefined
    let positive = NO_BUCKETS
    let negative = NO_BUCKETS
    let at = start
    while (at < end) {
      const tag = bytes[at++] ?? 0
      if ((tag & 7) === 2) {
        const first = at - 1
        at = this.#endOfMessage(at)
        if (!(at <= end)) return false
        if (tag === 0x0a) {
          if (attributesStart === 0) attributesStart = first
          else if (attributesEnd !== first) return false
          attributesEnd = at
        } else {
          const buckets = this.#exponentialBuckets(this.at, at)
          if (buckets === undefined) return false
          if (tag === 0x42) positive = buckets
          else if (tag === 0x4a) negative = buckets
          else return false
        }
      } else if (tag === 0x50 || tag === 0x30) {
        const byte = bytes[at++] ?? 0
        if (byte >= 0x80) return false
        if (tag === 0x50) flags = byte
        else scale = (byte >>> 1) ^ -(byte & 1)
      } else {
        if (at + 8 > end) return false
        if (tag === 0x11) startTimeMs = this.#msAt(at)
        else if (tag === 0x19) timeMs = this.#msAt(at)
        else if (tag === 0x21) count = this.#fixed64(at)
        else if (tag === 0x29) sum = view.getFloat64(at, true)
        else if (tag === 0x39) zeroCount = this.#fixed64(at)
        else if (tag === 0x71) zeroThreshold = view.getFloat64(at, true)
        else if (tag === 0x61 || tag === 0x69) passed++
        else return false
        at += 8
      }
    }
    const buckets = positive.counts.length + negative.counts.length
    if (at !== end || buckets > MAX_POINT_BUCKETS) return false
    const isStale = (flags & NO_RECORDED_VALUE) !== 0
    const rest = { kind: 'exponential', attributes: [], exemplars: [], startTimeMs, timeMs, flags } as const
    const histogram = exponentialHistogram({
      ...rest,
      count,
      sum,
      scale,
      zeroCount,
      zeroThreshold,
      positive,
      negative,
    })
    const known = this.#attributes(family, attributesStart, attributesEnd)
    if (typeof histogram === 'string' || known === undefined) return false
    for (; passed > 0; passed--) this.#parts.pass()
    this.#parts.add(known.parts + buckets)
    this.#begin(timeMs)
    if (isStale) {
      this.#add(known.labels, NaN, isStale, startTimeMs)
      return true
    }
    this.#parts.addLabels(known.labels.size)
    this.#columns.add({ timeMs: this.timeMs, value: 0, histogram, startTimeMs, deltaPoint: this.#deltaPoint })
    this.#columns.endRun(known.labels)
    return true
  }

  /** `undefined` where they are unusual. */
  #exponentialBuckets(start: number, end: number): ExponentialBuckets | undefined {
    const { bytes } = this
    const counts: number[] = []
    let offset = 0
    let at = start
    while (at < end) {
      const tag = bytes[at++]
      this.at = at
      const number = this.length()
      if (tag === 0x08) offset = (number >>> 1) ^ -(number & 1)
      else if (tag !== 0x12 || counts.length > 0) return undefined
      // NaN is longer than what is looked at here.
      if (!(number >= 0)) return undefined
      at = this.at
      if (tag === 0x08) continue
      const last = at + number
      // A count has a byte at least.
      if (last > end || number > MAX_POINT_BUCKETS * 4) return undefined
      while (this.at < last) {
        const counted = this.length()
        if (!(counted >= 0)) return undefined
        counts.push(counted)
      }
      at = this.at
      if (at !== last) return undefined
    }
    this.at = start
    return at === end ? { offset, counts } : undefined
  }

  /** Where the message ends whose length is at a place, NaN where that is unusual; it begins at `this.at` then. */
  #endOfMessage(at: number): number {
    this.at = at
    const length = this.length()
    return this.at + length
  }

  /** Unix milliseconds of a fixed64 of nanoseconds, exactly: 2^32 ns are 4,294 ms and 967,296 ns. */
  #msAt(at: number): number {
    const high = this.word(at + 4)
    return high * 4294 + Math.floor((high * 967_296 + this.word(at)) / 1e6)
  }

  #fixed64(at: number): number {
    return this.word(at + 4) * 2 ** 32 + this.word(at)
  }

  /** `undefined` where the labels are to be refused. */
  #attributes(family: Family, start: number, end: number): KnownAttributes | undefined {
    const known = knownAttributes.find(this, start, end, this.#familyNumber)
    if (known !== undefined) return known
    this.#attributeParts.begin()
    const labels = seriesLabels(family, this.#readAttributes(family, start, end), '')
    if (labelsFault(labels) !== undefined) return undefined
    const made = { number: nextNumber(), parts: this.#attributeParts.ofOne, labels }
    knownAttributes.keep(this, start, end, this.#familyNumber, made)
    return made
  }

  #readAttributes({ metric: { kind = 'gauge' } }: Family, start: number, end: number): readonly Attribute[] {
    return attributesOf(this.#reader.read(POINT_TYPES[kind], start, end))
  }

  /** `undefined` where bounds or labels are to be refused. */
  #buckets(
    family: Family,
    { number }: KnownAttributes,
    [attributesStart, attributesEnd]: readonly [number, number],
    [start, end]: readonly [number, number],
  ): BucketLabels | undefined {
    const known = knownBuckets.find(this, start, end, number)
    if (known !== undefined) return known
    const bounds = Array.from({ length: (end - start) / 8 }, (_, i) => this.view.getFloat64(start + 8 * i, true))
    if (!isAscending(bounds)) return undefined
    const attributes = this.#readAttributes(family, attributesStart, attributesEnd)
    const bucket = seriesLabels(family, attributes, '_bucket')
    const texts = bounds.at(-1) === Infinity ? bounds.map(boundText) : [...bounds.map(boundText), '+Inf']
    const made = {
      buckets: texts.map((text) => bucket.with('le', text)),
      bounds: bounds.length,
      sum: seriesLabels(family, attributes, '_sum'),
      count: seriesLabels(family, attributes, '_count'),
    }
    if ([...made.buckets, made.sum, made.count].some((labels) => labelsFault(labels) !== undefined)) return undefined
    knownBuckets.keep(this, start, end, number, made, made.buckets.length + 2)
    return made
  }
}
