import { MessageReader, type ByteRange } from '../otlp/message-reader.ts'
import { otlpType } from '../otlp/messages.ts'
import { attributesOf, dataOf, headOf, pointOf, scopeOf } from './members.ts'
import type { Metric, MetricKind, Point, ResourceMetrics, ScopeMetrics, SentPointTaker } from './points.ts'

const RESOURCE = otlpType('Resource')
const SCOPE = otlpType('Scope')
const METRIC = otlpType('Metric')
const DATA = otlpType('Data')
const NUMBER = otlpType('NumberDataPoint')
/** The message types of the points of each kind of metric. */
export const POINT_TYPES = {
  gauge: NUMBER,
  sum: NUMBER,
  histogram: otlpType('HistogramDataPoint'),
  exponential: otlpType('ExponentialHistogramDataPoint'),
  summary: otlpType('SummaryDataPoint'),
} as const

/** Reads a metrics export directly from the bytes of its body. */
export class MetricsReader extends MessageReader {
  *resources(): Generator<ResourceMetrics> {
    for (const range of this.messages(0, this.reader.len, 1))
      yield { attributes: attributesOf(this.lastOf(RESOURCE, range, 1)), scopes: this.#scopes(range) }
  }

  *#scopes(resource: ByteRange): Generator<ScopeMetrics> {
    for (const range of this.messages(...resource, 2))
      yield { scope: scopeOf(this.lastOf(SCOPE, range, 1)), metrics: this.#metrics(range) }
  }

  *#metrics(scope: ByteRange): Generator<Metric> {
    for (const range of this.messages(...scope, 2)) yield this.#metric(...range)
  }

  #metric(start: number, end: number): Metric {
    const { reader } = this
    const given = this.read(METRIC, start, end)
    const [member, kind] = dataOf(given)
    const bytes = given[member]
    // The data is a view of the body, so its offset in the body can be computed.
    const from = bytes instanceof Uint8Array ? bytes.byteOffset - reader.buf.byteOffset : 0
    const to = bytes instanceof Uint8Array ? from + bytes.length : 0
    const head = headOf(given, kind, this.read(DATA, from, to))
    return { ...head, points: (taker) => this.#points(kind, [from, to], taker) }
  }

  *#points(
    kind: MetricKind = 'gauge',
    [start, end]: ByteRange,
    taker: SentPointTaker | undefined,
  ): Generator<Point | undefined> {
    for (const range of this.messages(start, end, 1)) {
      const isTaken = taker?.take(...range) === true
      yield isTaken ? undefined : pointOf(kind, this.read(POINT_TYPES[kind], ...range))
    }
  }
}
