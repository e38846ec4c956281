import { DDSketch } from '@datadog/sketches-js'
import type { JsonValue, Meter } from '../../base/index.ts'
import { toNumber, type Value } from '../../data/index.ts'
import type { Accumulator, MakeAccumulator } from '../definition.ts'

/** Maximum relative error of a quantile. */
const ACCURACY = 0.01

class QuantileApproxState implements Accumulator {
  #sketch = new DDSketch({ relativeAccuracy: ACCURACY })
  #binCount = 0
  readonly #phi: number
  readonly #meter: Meter

  constructor(phi: number, meter: Meter) {
    this.#meter = meter
    this.#phi = Math.min(Math.max(phi, 0), 1)
  }

  add(values: readonly Value[]): void {
    for (const value of values) {
      const number = Number(toNumber(value) ?? NaN)
      if (Number.isFinite(number)) this.#sketch.accept(number)
    }
    this.#chargeBins()
  }

  merge(other: QuantileApproxState): void {
    this.#sketch.merge(other.#sketch)
    this.#chargeBins()
  }

  /** Charges memory as the sketch grows, up to about 70,000 bins. */
  #chargeBins(): void {
    const { store, negativeStore } = this.#sketch
    const count = store.bins.length + negativeStore.bins.length
    if (count === this.#binCount) return
    this.#meter.charge((count - this.#binCount) * 8)
    this.#binCount = count
  }

  finish(): Value {
    return this.#sketch.count === 0 ? null : this.#sketch.getValueAtQuantile(this.#phi)
  }

  export(): JsonValue {
    return [...this.#sketch.toProto()]
  }

  import(state: JsonValue): void {
    this.#sketch = DDSketch.fromProto(Uint8Array.from(state as readonly number[]))
    this.#chargeBins()
  }
}

export const quantileApproxAccumulator: MakeAccumulator = ({ params, meter }) =>
  new QuantileApproxState(Number(toNumber(params[0] ?? null) ?? 0.5), meter)
