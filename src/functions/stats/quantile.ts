import type { JsonValue, Meter } from '../../base/index.ts'
import { compareGroupKeys, isEmptyValue, toNumber, type Value, valueBytes } from '../../data/index.ts'
import type { Accumulator, MakeAccumulator, StatsFunction } from '../definition.ts'
import { decodeValues, encodeValues } from './state-codec.ts'

/** Returns the index of the φ-quantile among `count` sorted values. */
export function quantileIndex(phi: number, count: number): number {
  if (!(phi > 0)) return 0
  return phi >= 1 ? count - 1 : Math.min(Math.floor(phi * count), count - 1)
}

/** Computes an exact quantile: stores all values. */
class QuantileState implements Accumulator {
  #values: Value[] = []
  #emptyCount = 0
  readonly #phi: number
  readonly #countsEmpty: boolean
  readonly #meter: Meter

  constructor(phi: number, countsEmpty: boolean, meter: Meter) {
    this.#meter = meter
    this.#phi = phi
    this.#countsEmpty = countsEmpty
  }

  add(values: readonly Value[]): void {
    for (const value of values) {
      if (isEmptyValue(value)) this.#emptyCount++
      else this.#keep(value)
    }
  }

  #keep(value: Value): void {
    this.#meter.charge(valueBytes(value))
    this.#values.push(value)
  }

  merge(other: QuantileState): void {
    for (const value of other.#values) this.#keep(value)
    this.#emptyCount += other.#emptyCount
  }

  finish(): Value {
    const emptyCount = this.#countsEmpty ? this.#emptyCount : 0
    const count = this.#values.length + emptyCount
    const index = quantileIndex(this.#phi, count) - emptyCount
    if (count === 0 || index < 0) return null
    return this.#values.sort(compareGroupKeys)[index] ?? null
  }

  export(): JsonValue {
    return { values: encodeValues(this.#values), emptyCount: this.#emptyCount }
  }

  import(state: JsonValue): void {
    const { values, emptyCount } = state as { readonly values: JsonValue; readonly emptyCount: number }
    this.#values = []
    this.#emptyCount = emptyCount
    for (const value of decodeValues(values)) this.#keep(value)
  }
}

function phiOf(params: readonly Value[]): number {
  return Number(toNumber(params[0] ?? null) ?? 0.5)
}

const parameters = [{ name: 'field…', text: 'fields whose values are ranked' }]

export const quantile: StatsFunction = {
  name: 'quantile',
  aliases: [],
  signature: { params: [{ name: 'phi', type: 'number' }], minArgs: 1, maxArgs: Infinity },
  returns: ([type = 'any', ...others]) => (others.length === 0 ? type : 'any'),
  algebra: 'holistic',
  isOrderSensitive: false,
  kernel: 'quantile',
  doc: {
    summary:
      'The value at place floor(phi × n) of the n values in order: exact, never interpolated; the least for phi ≤ 0, the greatest for phi ≥ 1.',
    parameters: [{ name: 'phi', text: 'a number from 0 to 1' }, ...parameters],
    examples: [{ query: '* | stats by (workload) quantile(0.99, duration_ms) p99' }],
  },
}

export const quantileAccumulator: MakeAccumulator = ({ params, meter }) =>
  new QuantileState(phiOf(params), false, meter)

export const median: StatsFunction = {
  ...quantile,
  name: 'median',
  kernel: 'median',
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  doc: {
    summary: 'As quantile(0.5, …).',
    parameters,
    examples: [{ query: '* | stats median(duration_ms) typical' }],
  },
}

export const medianAccumulator: MakeAccumulator = ({ meter }) => new QuantileState(0.5, false, meter)

/** Variant for the `logsql` dialect, in which missing values sort before all others. */
export const quantileWithEmpty: StatsFunction = {
  ...quantile,
  name: 'quantile-with-empty',
  kernel: undefined,
  doc: { ...quantile.doc, summary: 'As quantile, but missing values count and come before all others.', examples: [] },
}

export const quantileWithEmptyAccumulator: MakeAccumulator = ({ params, meter }) =>
  new QuantileState(phiOf(params), true, meter)
