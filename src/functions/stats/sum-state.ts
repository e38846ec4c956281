import type { JsonValue } from '../../base/index.ts'
import { ExactSum, toNumber, type ExactSumState, type Value } from '../../data/index.ts'
import type { Accumulator } from '../definition.ts'

/** Stores the exact sum and the number of the numeric arguments. */
export class SumState implements Accumulator {
  sum = new ExactSum()
  count = 0
  readonly #finish: (state: SumState) => Value

  constructor(finish: (state: SumState) => Value) {
    this.#finish = finish
  }

  add(values: readonly Value[]): void {
    for (const value of values) {
      const number = toNumber(value)
      if (number === undefined) continue
      this.sum.add(number)
      this.count++
    }
  }

  merge(other: SumState): void {
    this.sum.merge(other.sum)
    this.count += other.count
  }

  finish(): Value {
    return this.#finish(this)
  }

  export(): JsonValue {
    return { count: this.count, sum: { ...this.sum.export() } }
  }

  import(state: JsonValue): void {
    const { count, sum } = state as unknown as { count: number; sum: ExactSumState }
    this.count = count
    this.sum = ExactSum.import(sum)
  }
}

export function sumOrNaN(state: SumState): Value {
  return state.count === 0 ? NaN : state.sum.value()
}

/** Returns the float nearest to the exact mean; NaN if there are no numbers. */
export function meanOrNaN(state: SumState): Value {
  return state.count === 0 ? NaN : state.sum.mean(state.count)
}
