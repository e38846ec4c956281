import type { JsonValue, Meter } from '../../base/index.ts'
import { JsonText, toNumber, type Value } from '../../data/index.ts'
import type { Accumulator, MakeAccumulator, StatsFunction } from '../definition.ts'

const BUCKETS_PER_DECADE = 18
const MIN_EXPONENT = -9
const MAX_EXPONENT = 18
const COUNT = (MAX_EXPONENT - MIN_EXPONENT) * BUCKETS_PER_DECADE

function print(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(3).split('e')
  const digits = exponent.slice(1).padStart(2, '0')
  return `${mantissa}e${exponent.charAt(0)}${digits}`
}

function upperBound(index: number): number {
  return 10 ** (MIN_EXPONENT + (index + 1) / BUCKETS_PER_DECADE)
}

/**
 * Returns the index of a value's bucket: -1 below the first bucket, `COUNT` above the last. A value on a bound belongs
 * to the lower of both buckets.
 */
function bucketOf(value: number): number {
  if (value <= 10 ** MIN_EXPONENT) return -1
  if (value > 10 ** MAX_EXPONENT) return COUNT
  let index = Math.min(Math.max(Math.ceil((Math.log10(value) - MIN_EXPONENT) * BUCKETS_PER_DECADE) - 1, 0), COUNT - 1)
  // Near a bound, rounding of the logarithm may give the next bucket.
  while (index > 0 && value <= upperBound(index - 1)) index--
  while (index < COUNT - 1 && value > upperBound(index)) index++
  return index
}

function rangeOf(index: number): string {
  if (index < 0) return `0...${print(10 ** MIN_EXPONENT)}`
  if (index >= COUNT) return `${print(10 ** MAX_EXPONENT)}...+Inf`
  return `${print(upperBound(index - 1))}...${print(upperBound(index))}`
}

class HistogramState implements Accumulator {
  readonly #hits = new Map<number, number>()
  readonly #meter: Meter

  constructor(meter: Meter) {
    this.#meter = meter
  }

  add(values: readonly Value[]): void {
    for (const value of values) {
      const number = toNumber(value)
      if (number === undefined || number < 0) continue
      this.#count(bucketOf(Number(number)), 1)
    }
  }

  #count(bucket: number, hits: number): void {
    const known = this.#hits.get(bucket)
    if (known === undefined) this.#meter.charge(32)
    this.#hits.set(bucket, (known ?? 0) + hits)
  }

  merge(other: HistogramState): void {
    for (const [bucket, hits] of other.#hits) this.#count(bucket, hits)
  }

  finish(): Value {
    const sorted = [...this.#hits].sort(([a], [b]) => a - b)
    return new JsonText(JSON.stringify(sorted.map(([bucket, hits]) => ({ vmrange: rangeOf(bucket), hits }))))
  }

  export(): JsonValue {
    return [...this.#hits].map((entry) => [...entry])
  }

  import(state: JsonValue): void {
    this.#hits.clear()
    for (const [bucket, hits] of state as readonly (readonly [number, number])[]) this.#count(bucket, hits)
  }
}

export const histogram: StatsFunction = {
  name: 'histogram',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: 1 },
  returns: () => 'json',
  algebra: 'distributive',
  isOrderSensitive: false,
  doc: {
    summary:
      'How many values fall into each of 18 logarithmic buckets per decade, as JSON; negative values do not count.',
    parameters: [{ name: 'field', text: 'field whose numbers count' }],
    examples: [{ query: '* | stats histogram(duration_ms) spread' }],
  },
}

export const histogramAccumulator: MakeAccumulator = ({ meter }) => new HistogramState(meter)
