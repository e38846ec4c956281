import { cached } from '../../base/index.ts'
import { Labels } from '../../data/index.ts'
import { KnownBytes } from '../metrics/known-labels.ts'
import type { MetricColumns } from '../metrics/metric-columns.ts'
import { labelsFault } from '../metrics/metric-sample.ts'
import { MessageReader } from '../otlp/message-reader.ts'
import { otlpType } from '../otlp/messages.ts'
import { PartCount } from '../part-count.ts'
import { SentFields, fieldsByTag } from '../otlp/sent-fields.ts'
import { exponentialHistogram } from './exponential.ts'
import { NO_RECORDED_VALUE, isAscending, seriesLabels, type Family, type SharedLabels } from './family.ts'
import { MAX_BUCKET_SETS, MAX_POINT_BUCKETS } from '../tuning.ts'
import { attributesOf } from './members.ts'
import { boundText } from './names.ts'
import type { Attribute, ExponentialBuckets, SentPointTaker } from './points.ts'
import { POINT_TYPES } from './read-protobuf.ts'

/** Cached result of reading the attributes of a point, for points of a family. */
interface KnownAttributes {
  readonly number: number
  /** The number of parts that reading the attributes takes. */
  readonly parts: number
  /** The labels of the series without a suffix; not used for histograms with buckets. */
  readonly labels: Labels
}

/** The labels of the series of a histogram with certain attributes and bounds. */
interface BucketLabels {
  /** The labels of each bound, and of a bucket without an upper bound unless the last bound is infinite. */
  readonly buckets: readonly Labels[]
  readonly bounds: number
  readonly sum: Labels
  readonly count: Labels
}

/**
 * Numbers of families, which are part of cache keys. The caches of this thread contain the data that senders repeat in
 * every export.
 */
const families = new Map<string, number>()
const knownAttributes = new KnownBytes<KnownAttributes>()
const knownBuckets = new KnownBytes<BucketLabels>(MAX_BUCKET_SETS)
let lastNumber = 0

/** Returns a new number. Numbers are not reused, so a lookup never finds entries of an evicted family. */
function nextNumber(): number {
  lastNumber = (lastNumber + 1) & 0x3fffffff
  return lastNumber
}

/** Decodes a number that has its sign in the lowest bit. */
function signed(number: number): number {
  return (number >>> 1) ^ -(number & 1)
}

const NUMBER_FIELDS = fieldsByTag(POINT_TYPES.gauge)
const HISTOGRAM_FIELDS = fieldsByTag(POINT_TYPES.histogram)
const EXPONENTIAL_FIELDS = fieldsByTag(POINT_TYPES.exponential)
const BUCKETS_FIELDS = fieldsByTag(otlpType('Buckets'))

/**
 * Reads points of an export directly from the bytes of its body. A point with exemplars, attributes that are not
 * consecutive, fields in another wire type, or faults is read as an object instead. Both ways give the same samples.
 */
export class SentPoints extends SentFields implements SentPointTaker {
  /** The time of the last taken point, in milliseconds since 1970. */
  timeMs = 0
  readonly #parts: PartCount
  readonly #receivedMs: number
  readonly #columns: MetricColumns
  readonly #reader: MessageReader
  /** Counts the parts of attributes that are not in the cache. */
  readonly #attributeParts = new PartCount(Infinity)
  #place: SharedLabels | undefined
  #placeKey = ''
  #family: Family | undefined
  #familyNumber = 0
  /** The number of points so far. */
  #points = 0
  /** The byte range of the point's attributes, which are consecutive. */
  #attributesStart = 0
  #attributesEnd = 0
  /** The number of skipped fields in the point. */
  #unread = 0

  constructor(bytes: Uint8Array, parts: PartCount, columns: MetricColumns, receivedMs: number) {
    super(bytes)
    this.#parts = parts
    this.#columns = columns
    this.#receivedMs = receivedMs
    this.#reader = new MessageReader(bytes, this.#attributeParts)
  }

  /**
   * Returns this taker for the points of a family; `undefined` if all points of the family are read as objects.
   * `points` is the number of points of the export before this family.
   */
  takerOf(family: Family, shared: SharedLabels, points: number): this | undefined {
    const { name, metric } = family
    const { kind, temporality } = metric
    if (name === '' || kind === undefined || kind === 'summary') return undefined
    if (kind !== 'gauge' && temporality === 'unspecified') return undefined
    if (this.#place !== shared) {
      this.#place = shared
      this.#placeKey = `${Labels.from(shared.weak).key}\0${Labels.from(shared.strong).key}\0`
    }
    this.#familyNumber = cached(families, `${this.#placeKey}${kind} ${name}`, nextNumber)
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

  #add(labels: Labels, value: number, isStale: boolean, startTimeMs: number): void {
    this.#parts.addLabels(labels.size)
    const columns = this.#columns
    if (isStale) {
      columns.add({ timeMs: this.timeMs, value: NaN, isStale, startTimeMs, deltaPoint: this.#deltaPoint })
    } else columns.addNumber(this.timeMs, value, startTimeMs, this.#deltaPoint)
    columns.endRun(labels)
  }

  protected override attribute(tagAt: number, _: number, end: number): boolean {
    if (this.#attributesStart === 0) this.#attributesStart = tagAt
    else if (this.#attributesEnd !== tagAt) return false
    this.#attributesEnd = end
    return true
  }

  protected override unread(): boolean {
    this.#unread++
    return true
  }

  /** Finds the fields of a point. Returns false if the point must be read as an object. */
  #look(start: number, end: number, known: Uint8Array): boolean {
    this.#attributesStart = 0
    this.#attributesEnd = 0
    this.#unread = 0
    return this.fields(start, end, known)
  }

  /** Counts the parts of a taken point: its attributes, its buckets and its skipped fields. */
  #count({ parts }: KnownAttributes, buckets: number): void {
    for (let i = 0; i < this.#unread; i++) this.#parts.pass()
    this.#parts.add(parts + buckets)
  }

  /** Sets `timeMs` to the time of the point, and returns its start time. Both are in milliseconds since 1970. */
  #times(): number {
    this.timeMs = this.#msOf(3) || this.#receivedMs
    return this.#msOf(2)
  }

  #number(family: Family, start: number, end: number): boolean {
    if (!this.#look(start, end, NUMBER_FIELDS)) return false
    const { view, from } = this
    const isStale = (this.numberOf(8) & NO_RECORDED_VALUE) !== 0
    if (from[4] + from[6] === 0 && !isStale) return false
    const known = this.#attributes(family)
    if (known === undefined) return false
    // If both kinds of value were sent, the last one counts, as in points that are read as objects.
    const isInteger = from[6] > from[4]
    const value = isInteger ? view.getInt32(from[6] + 4, true) * 2 ** 32 + this.word(from[6]) : (this.#double(4) ?? 0)
    const startTimeMs = this.#times()
    this.#count(known, 0)
    this.#add(known.labels, value, isStale, family.metric.kind === 'gauge' ? 0 : startTimeMs)
    return true
  }

  #histogram(family: Family, start: number, end: number): boolean {
    if (!this.#look(start, end, HISTOGRAM_FIELDS)) return false
    const { from, to } = this
    const counts = (to[6] - from[6]) / 8
    const bounds = (to[7] - from[7]) / 8
    if (!Number.isInteger(bounds) || !Number.isInteger(counts)) return false
    if (bounds >= MAX_POINT_BUCKETS || (counts !== bounds + 1 && counts !== 0)) return false
    const known = this.#attributes(family)
    if (known === undefined) return false
    const labels = this.#buckets(family, known, from[7], to[7])
    if (labels === undefined) return false
    this.#count(known, counts + bounds)
    const startTimeMs = this.#times()
    const isStale = (this.numberOf(10) & NO_RECORDED_VALUE) !== 0
    const count = this.#fixed64(from[4])
    const sum = this.#double(5)
    let running = 0
    for (const [i, own] of labels.buckets.entries()) {
      if (i < counts) running += this.#fixed64(from[6] + 8 * i)
      this.#add(own, i < labels.bounds ? running : count, isStale, startTimeMs)
    }
    if (sum !== undefined || isStale) this.#add(labels.sum, sum ?? 0, isStale, startTimeMs)
    this.#add(labels.count, count, isStale, startTimeMs)
    return true
  }

  #exponential(family: Family, start: number, end: number): boolean {
    if (!this.#look(start, end, EXPONENTIAL_FIELDS)) return false
    const { from, to } = this
    const own = {
      count: this.#fixed64(from[4]),
      sum: this.#double(5),
      scale: signed(this.numberOf(6)),
      zeroCount: this.#fixed64(from[7]),
      zeroThreshold: this.#double(14) ?? 0,
    }
    const isStale = (this.numberOf(10) & NO_RECORDED_VALUE) !== 0
    const startTimeMs = this.#times()
    // Reading the buckets overwrites the offsets of the point's fields.
    const [start9, end9] = [from[9], to[9]]
    const positive = this.#exponentialBuckets(from[8], to[8])
    const negative = this.#exponentialBuckets(start9, end9)
    if (positive === undefined || negative === undefined) return false
    const buckets = positive.counts.length + negative.counts.length
    if (buckets > MAX_POINT_BUCKETS) return false
    const histogram = exponentialHistogram({ ...own, positive, negative })
    const known = this.#attributes(family)
    if (typeof histogram === 'string' || known === undefined) return false
    this.#count(known, buckets)
    if (isStale) {
      this.#add(known.labels, NaN, isStale, startTimeMs)
      return true
    }
    this.#parts.addLabels(known.labels.size)
    this.#columns.add({ timeMs: this.timeMs, value: 0, histogram, startTimeMs, deltaPoint: this.#deltaPoint })
    this.#columns.endRun(known.labels)
    return true
  }

  /** Returns the buckets; `undefined` if the point must be read as an object. */
  #exponentialBuckets(start: number, end: number): ExponentialBuckets | undefined {
    if (!this.fields(start, end, BUCKETS_FIELDS)) return undefined
    const [first, last] = [this.from[2], this.to[2]]
    const offset = signed(this.numberOf(1))
    const counts: number[] = []
    // The limit is in bytes; a count takes at least one byte.
    if (last - first > MAX_POINT_BUCKETS * 4) return undefined
    for (this.at = first; this.at < last;) counts.push(this.length())
    return this.at === last && counts.every((count) => count >= 0) ? { offset, counts } : undefined
  }

  /**
   * Returns a fixed64 of nanoseconds as milliseconds since 1970, exactly: 2^32 ns are 4,294 ms and 967,296 ns. Returns
   * 0 when it was not sent.
   */
  #msOf(field: number): number {
    const at = this.from[field]
    if (at === 0) return 0
    const high = this.word(at + 4)
    return high * 4294 + Math.floor((high * 967_296 + this.word(at)) / 1e6)
  }

  /** Returns a fixed64 as a number; 0 when it was not sent. */
  #fixed64(at: number): number {
    return at === 0 ? 0 : this.word(at + 4) * 2 ** 32 + this.word(at)
  }

  #double(field: number): number | undefined {
    const at = this.from[field]
    return at === 0 ? undefined : this.view.getFloat64(at, true)
  }

  /** Returns the attributes from the cache, or reads them; `undefined` if the labels are invalid. */
  #attributes(family: Family): KnownAttributes | undefined {
    const [start, end] = [this.#attributesStart, this.#attributesEnd]
    const known = knownAttributes.find(this, start, end, this.#familyNumber)
    if (known !== undefined) return known
    this.#attributeParts.begin()
    const labels = seriesLabels(family, this.#readAttributes(family), '')
    if (labelsFault(labels) !== undefined) return undefined
    const made = { number: nextNumber(), parts: this.#attributeParts.ofOne, labels }
    knownAttributes.keep(this, start, end, this.#familyNumber, made)
    return made
  }

  #readAttributes({ metric: { kind = 'gauge' } }: Family): readonly Attribute[] {
    return attributesOf(this.#reader.read(POINT_TYPES[kind], this.#attributesStart, this.#attributesEnd))
  }

  /** Returns the labels of the buckets; `undefined` when bounds or labels are invalid. */
  #buckets(family: Family, { number }: KnownAttributes, start: number, end: number): BucketLabels | undefined {
    const known = knownBuckets.find(this, start, end, number)
    if (known !== undefined) return known
    const bounds = Array.from({ length: (end - start) / 8 }, (_, i) => this.view.getFloat64(start + 8 * i, true))
    if (!isAscending(bounds)) return undefined
    const attributes = this.#readAttributes(family)
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
