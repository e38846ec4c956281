import type { JsonValue, Meter } from '../../base/index.ts'
import { compareGroupKeys, isEmptyValue, type Value, valueBytes } from '../../data/index.ts'
import type { Accumulator } from '../definition.ts'
import { decodeValue, encodeValue } from './state-codec.ts'

/** Finds the least or greatest non-empty value in the order of group keys, where different values are never equal. */
export class ExtremeState implements Accumulator {
  #best: Value = null
  #seesEmpty = false
  readonly #sign: 1 | -1
  readonly #countsEmpty: boolean
  readonly #meter: Meter

  /** With `countsEmpty`, the empty value counts and is less than all others. */
  constructor(which: 'min' | 'max', meter: Meter, countsEmpty = false) {
    this.#meter = meter
    this.#sign = which === 'min' ? 1 : -1
    this.#countsEmpty = countsEmpty
  }

  add(values: readonly Value[]): void {
    for (const value of values) this.#see(value)
  }

  #see(value: Value): void {
    if (isEmptyValue(value)) this.#seesEmpty = true
    else if (this.#best === null || compareGroupKeys(value, this.#best) * this.#sign < 0) this.#keep(value)
  }

  #keep(value: Value): void {
    this.#meter.charge(valueBytes(value) - valueBytes(this.#best))
    this.#best = value
  }

  merge(other: ExtremeState): void {
    if (other.#best !== null) this.#see(other.#best)
    this.#seesEmpty ||= other.#seesEmpty
  }

  finish(): Value {
    return this.#countsEmpty && this.#seesEmpty && this.#sign === 1 ? null : this.#best
  }

  export(): JsonValue {
    return { best: encodeValue(this.#best), seesEmpty: this.#seesEmpty }
  }

  import(state: JsonValue): void {
    const { best, seesEmpty } = state as { readonly best: JsonValue; readonly seesEmpty: boolean }
    this.#keep(decodeValue(best))
    this.#seesEmpty = seesEmpty
  }
}
