import type { JsonValue } from '../../base/index.ts'
import type { Value } from '../../data/index.ts'
import type { Accumulator } from '../definition.ts'

/** Counts the rows for which `counts` returns true. */
export class CountState implements Accumulator {
  #count = 0
  readonly #counts: (values: readonly Value[]) => boolean

  constructor(counts: (values: readonly Value[]) => boolean) {
    this.#counts = counts
  }

  add(values: readonly Value[]): void {
    if (this.#counts(values)) this.#count++
  }

  merge(other: CountState): void {
    this.#count += other.#count
  }

  finish(): Value {
    return this.#count
  }

  export(): JsonValue {
    return this.#count
  }

  import(state: JsonValue): void {
    this.#count = Number(state)
  }
}
