import { groupKeyText, isEmptyValue, type Value } from '../../data/index.ts'

/** How often each value was seen; missing and `''` are one. */
export class ValueCounts {
  readonly #counts = new Map<string, { readonly value: Value; hits: number }>()
  #bytes = 0

  add(value: Value): void {
    const key = groupKeyText(value)
    const known = this.#counts.get(key)
    if (known !== undefined) {
      known.hits++
      return
    }
    this.#counts.set(key, { value: isEmptyValue(value) ? null : value, hits: 1 })
    this.#bytes += 96 + key.length * 2
  }

  get size(): number {
    return this.#counts.size
  }

  get bytes(): number {
    return this.#bytes
  }

  entries(): { readonly value: Value; readonly hits: number }[] {
    return [...this.#counts.values()]
  }
}
