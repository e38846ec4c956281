import { idText } from '../otlp/attributes.ts'
import { MessageReader, type Place } from '../otlp/message-reader.ts'
import {
  NO_SCOPE,
  TEMPORALITIES,
  type Attribute,
  type Exemplar,
  type ExponentialBuckets,
  type ExponentialPoint,
  type HistogramPoint,
  type Metric,
  type MetricKind,
  type NumberPoint,
  type Point,
  type ResourceMetrics,
  type Scope,
  type ScopeMetrics,
  type SentPointTaker,
  type SummaryPoint,
  type Temporality,
} from './points.ts'
import { LENGTH_DELIMITED, toNumber } from '../protobuf.ts'

const NO_BUCKETS: ExponentialBuckets = { offset: 0, counts: [] }

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Field numbers of a metric's data. */
const KINDS: ReadonlyMap<number, MetricKind> = new Map([
  [5, 'gauge'],
  [7, 'sum'],
  [9, 'histogram'],
  [10, 'exponential'],
  [11, 'summary'],
])

/** Reads an export of metrics where it lies: nothing is made before it is asked for, and everything made is counted. */
export class MetricsReader extends MessageReader {
  *resources(): Generator<ResourceMetrics> {
    for (const [start, end] of this.messages(0, this.reader.len, 1)) yield this.#resource(start, end)
  }

  #resource(start: number, end: number): ResourceMetrics {
    let attributes: readonly Attribute[] = []
    for (const [from, to] of this.messages(start, end, 1)) attributes = this.attributesIn(from, to, 1)
    return { attributes, scopes: this.#scopes(start, end) }
  }

  *#scopes(start: number, end: number): Generator<ScopeMetrics> {
    for (const [from, to] of this.messages(start, end, 2)) {
      let scope = NO_SCOPE
      for (const [first, last] of this.messages(from, to, 1)) scope = this.#scope(first, last)
      yield { scope, metrics: this.#metrics(from, to) }
    }
  }

  #scope(start: number, end: number): Scope {
    const reader = this.reader
    let name = ''
    let version = ''
    this.fields(start, end, (field) => {
      if (field === 1) name = reader.string()
      else if (field === 2) version = reader.string()
      else return false
      return true
    })
    return { name, version, attributes: this.attributesIn(start, end, 3) }
  }

  *#metrics(start: number, end: number): Generator<Metric> {
    for (const [from, to] of this.messages(start, end, 2)) yield this.#metric(from, to)
  }

  #metric(start: number, end: number): Metric {
    const reader = this.reader
    let name = ''
    let description = ''
    let unit = ''
    let kind: MetricKind | undefined
    let place: Place = [0, 0]
    this.fields(start, end, (field) => {
      const found = KINDS.get(field)
      if (field === 1) name = reader.string()
      else if (field === 2) description = reader.string()
      else if (field === 3) unit = reader.string()
      else if (found !== undefined) {
        const to = this.end(end)
        kind = found
        place = [reader.pos, to]
        reader.pos = to
      } else return false
      return true
    })
    let temporality: Temporality = 'unspecified'
    let isMonotonic = false
    this.fields(...place, (field) => {
      if (field === 2) temporality = TEMPORALITIES[reader.int32()] ?? 'unspecified'
      else if (field === 3) isMonotonic = reader.bool()
      else return false
      return true
    })
    return {
      name,
      description,
      unit,
      kind,
      temporality,
      isMonotonic,
      points: (taker) => this.#points(kind, place, taker),
    }
  }

  *#points(
    kind: MetricKind | undefined,
    [start, end]: Place,
    taker: SentPointTaker | undefined,
  ): Generator<Point | undefined> {
    for (let at = start; at < end;) {
      const to = this.message(at, end, 1)
      const from = this.reader.pos
      at = to === -1 ? from : to
      if (to === -1) continue
      if (taker?.take(from, to) === true) yield undefined
      else if (kind === 'histogram') yield this.#histogram(from, to)
      else if (kind === 'exponential') yield this.#exponential(from, to)
      else if (kind === 'summary') yield this.#summary(from, to)
      else yield this.#number(from, to)
    }
  }

  /** Unix milliseconds of a fixed64 of nanoseconds, exactly. */
  #timeMs(): number {
    const low = this.reader.fixed32()
    const high = this.reader.fixed32()
    // 2^32 ns are 4,294 ms and 967,296 ns.
    return high * 4294 + Math.floor((high * 967_296 + low) / 1e6)
  }

  #fixed64(): number {
    const low = this.reader.fixed32()
    return this.reader.fixed32() * 4_294_967_296 + low
  }

  #signed64(): number {
    const low = this.reader.fixed32()
    return this.reader.sfixed32() * 4_294_967_296 + low
  }

  #number(start: number, end: number): NumberPoint {
    const reader = this.reader
    const point: Mutable<NumberPoint> & Lists = { kind: 'number', ...emptyPoint(), value: undefined }
    this.fields(start, end, (field) => {
      if (field === 2) point.startTimeMs = this.#timeMs()
      else if (field === 3) point.timeMs = this.#timeMs()
      else if (field === 4) point.value = reader.double()
      else if (field === 6) point.value = this.#signed64()
      else if (field === 8) point.flags = reader.uint32()
      else if (field === 7) point.attributes.push(this.attribute(end))
      else if (field === 5) point.exemplars.push(this.#exemplar(end))
      else return false
      return true
    })
    return point
  }

  #histogram(start: number, end: number): HistogramPoint {
    const reader = this.reader
    const counts: number[] = []
    const bounds: number[] = []
    const numbers = { kind: 'histogram', count: 0, sum: undefined, bucketCounts: counts, bounds } as const
    const point: Mutable<HistogramPoint> & Lists = { ...numbers, ...emptyPoint() }
    this.fields(start, end, (field, wireType) => {
      if (field === 2) point.startTimeMs = this.#timeMs()
      else if (field === 3) point.timeMs = this.#timeMs()
      else if (field === 4) point.count = this.#fixed64()
      else if (field === 5) point.sum = reader.double()
      else if (field === 6) this.#numbers(wireType, end, counts, () => this.#fixed64())
      else if (field === 7) this.#numbers(wireType, end, bounds, () => reader.double())
      else if (field === 8) point.exemplars.push(this.#exemplar(end))
      else if (field === 9) point.attributes.push(this.attribute(end))
      else if (field === 10) point.flags = reader.uint32()
      else return false
      return true
    })
    return point
  }

  #exponential(start: number, end: number): ExponentialPoint {
    const reader = this.reader
    const point: Mutable<ExponentialPoint> & Lists = {
      kind: 'exponential',
      ...emptyPoint(),
      count: 0,
      sum: undefined,
      scale: 0,
      zeroCount: 0,
      zeroThreshold: 0,
      positive: NO_BUCKETS,
      negative: NO_BUCKETS,
    }
    this.fields(start, end, (field) => {
      if (field === 1) point.attributes.push(this.attribute(end))
      else if (field === 2) point.startTimeMs = this.#timeMs()
      else if (field === 3) point.timeMs = this.#timeMs()
      else if (field === 4) point.count = this.#fixed64()
      else if (field === 5) point.sum = reader.double()
      else if (field === 6) point.scale = reader.sint32()
      else if (field === 7) point.zeroCount = this.#fixed64()
      else if (field === 8) point.positive = this.#buckets(end)
      else if (field === 9) point.negative = this.#buckets(end)
      else if (field === 10) point.flags = reader.uint32()
      else if (field === 11) point.exemplars.push(this.#exemplar(end))
      else if (field === 14) point.zeroThreshold = reader.double()
      else return false
      return true
    })
    return point
  }

  #buckets(limit: number): ExponentialBuckets {
    const reader = this.reader
    const end = this.end(limit)
    const counts: number[] = []
    let offset = 0
    this.fields(reader.pos, end, (field, wireType) => {
      if (field === 1) offset = reader.sint32()
      else if (field === 2) this.#numbers(wireType, end, counts, () => toNumber(reader.uint64()))
      else return false
      return true
    })
    return { offset, counts }
  }

  #summary(start: number, end: number): SummaryPoint {
    const reader = this.reader
    const quantiles: [number, number][] = []
    const point: Mutable<SummaryPoint> & Lists = { kind: 'summary', ...emptyPoint(), count: 0, sum: 0, quantiles }
    this.fields(start, end, (field) => {
      if (field === 2) point.startTimeMs = this.#timeMs()
      else if (field === 3) point.timeMs = this.#timeMs()
      else if (field === 4) point.count = this.#fixed64()
      else if (field === 5) point.sum = reader.double()
      else if (field === 6) quantiles.push(this.#quantile(end))
      else if (field === 7) point.attributes.push(this.attribute(end))
      else if (field === 8) point.flags = reader.uint32()
      else return false
      return true
    })
    return point
  }

  #quantile(limit: number): [number, number] {
    const reader = this.reader
    const end = this.end(limit)
    this.parts.add()
    const pair: [number, number] = [0, 0]
    this.fields(reader.pos, end, (field) => {
      if (field === 1) pair[0] = reader.double()
      else if (field === 2) pair[1] = reader.double()
      else return false
      return true
    })
    return pair
  }

  #exemplar(limit: number): Exemplar {
    const reader = this.reader
    const end = this.end(limit)
    this.parts.add()
    const attributes: Attribute[] = []
    let timeMs = 0
    let value = 0
    let traceId = ''
    let spanId = ''
    this.fields(reader.pos, end, (field) => {
      if (field === 2) timeMs = this.#timeMs()
      else if (field === 3) value = reader.double()
      else if (field === 4) spanId = shortId(reader.bytes())
      else if (field === 5) traceId = shortId(reader.bytes())
      else if (field === 6) value = this.#signed64()
      else if (field === 7) attributes.push(this.attribute(end))
      else return false
      return true
    })
    return { timeMs, value, traceId, spanId, attributes }
  }

  /** A repeated number, packed or one at a time. */
  #numbers(wireType: number, limit: number, into: number[], read: () => number): void {
    const end = wireType === LENGTH_DELIMITED ? this.end(limit) : this.reader.pos + 1
    while (this.reader.pos < end) {
      this.parts.add()
      into.push(read())
    }
  }
}

/** The lists of a point while it is read. */
interface Lists {
  readonly attributes: Attribute[]
  readonly exemplars: Exemplar[]
}

function emptyPoint(): Lists & { startTimeMs: number; timeMs: number; flags: number } {
  return { attributes: [], exemplars: [], startTimeMs: 0, timeMs: 0, flags: 0 }
}

/** Ids have 8 or 16 bytes; what is longer is none. */
function shortId(bytes: Uint8Array): string {
  return bytes.length <= 16 ? (idText(bytes) ?? '') : ''
}
