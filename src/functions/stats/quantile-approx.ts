import { DDSketch } from '@datadog/sketches-js'
import type { JsonValue } from '../../base/index.ts'
import { toNumber, type Value } from '../../data/index.ts'
import type { Accumulator, StatsFunction } from '../definition.ts'

/** Answers are this near, relative to the true value. */
const ACCURACY = 0.01

class QuantileApproxState implements Accumulator {
  #sketch = new DDSketch({ relativeAccuracy: ACCURACY })
  readonly #phi: number

  constructor(phi: number) {
    this.#phi = Math.min(Math.max(phi, 0), 1)
  }

  add(values: readonly Value[]): void {
    for (const value of values) {
      const number = Number(toNumber(value) ?? NaN)
      if (Number.isFinite(number)) this.#sketch.accept(number)
    }
  }

  merge(other: QuantileApproxState): void {
    this.#sketch.merge(other.#sketch)
  }

  finish(): Value {
    return this.#sketch.count === 0 ? null : this.#sketch.getValueAtQuantile(this.#phi)
  }

  bytes(): number {
    return 16_384
  }

  export(): JsonValue {
    return [...this.#sketch.toProto()]
  }

  import(state: JsonValue): void {
    this.#sketch = DDSketch.fromProto(Uint8Array.from(state as readonly number[]))
  }
}

export const quantileApprox: StatsFunction = {
  name: 'quantile_approx',
  aliases: [],
  signature: { params: [{ name: 'phi', type: 'number' }], minArgs: 1, maxArgs: Infinity },
  returns: () => 'number',
  algebra: 'algebraic',
  isOrderSensitive: false,
  accumulator: ({ params }) => new QuantileApproxState(Number(toNumber(params[0] ?? null) ?? 0.5)),
  doc: {
    summary: 'About the quantile of the numbers, within 1 % of its value, in bounded memory.',
    parameters: [
      { name: 'phi', text: 'a number from 0 to 1' },
      { name: 'field…', text: 'fields whose numbers are ranked' },
    ],
    examples: [{ query: '* | stats quantile_approx(0.99, duration_ms) p99' }],
  },
}
