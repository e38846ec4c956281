import type { Meter } from '../../base/index.ts'
import { groupKeyText, isEmptyValue, valueBytes, type Value } from '../../data/index.ts'

/** Counts the occurrences of each value. Missing values count as `''`. */
export class ValueCounts {
  readonly #counts = new Map<string, { readonly value: Value; hits: number }>()
  readonly #meter: Meter
  #bytes = 0

  constructor(meter: Meter) {
    this.#meter = meter
  }

  add(value: Value): void {
    const key = groupKeyText(value)
    const known = this.#counts.get(key)
    if (known !== undefined) {
      known.hits++
      return
    }
    const bytes = 96 + key.length * 2 + valueBytes(value)
    this.#meter.charge(bytes)
    this.#bytes += bytes
    this.#counts.set(key, { value: isEmptyValue(value) ? null : value, hits: 1 })
  }

  get size(): number {
    return this.#counts.size
  }

  /** Removes all counts and releases their memory. */
  clear(): void {
    this.#meter.charge(-this.#bytes)
    this.#bytes = 0
    this.#counts.clear()
  }

  entries(): { readonly value: Value; readonly hits: number }[] {
    return [...this.#counts.values()]
  }
}
