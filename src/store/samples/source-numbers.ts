import type { SamplesSource } from './samples-part.ts'

/**
 * With more than this many places for each series, a sorted list with binary search takes less memory than a table of
 * all places.
 */
const SPARSE_PARTS = 4

/** Maps places of a store to the series of one source. It takes few bytes per series, compared with an object each. */
export class SourceNumbers {
  /** By place, the series number plus 1; or, with `#numbers`, the ascending places. */
  readonly #list: Uint32Array
  /** Series numbers in the order of their places; `undefined` when `#list` is a table by place. */
  readonly #numbers: Uint32Array | undefined

  /** Indexes the series that have samples. */
  constructor(source: SamplesSource, places: Int32Array) {
    const all: number[] = []
    let end = 0
    for (const [number, place] of places.entries()) {
      if (source.part(number) === undefined) continue
      all.push(number)
      end = Math.max(end, place + 1)
    }
    if (end <= all.length * SPARSE_PARTS) {
      this.#list = new Uint32Array(end)
      for (const number of all) this.#list[places[number] ?? 0] = number + 1
      return
    }
    const placeOf = (number: number): number => places[number] ?? 0
    this.#numbers = Uint32Array.from(all.sort((a, b) => placeOf(a) - placeOf(b)))
    this.#list = Uint32Array.from(this.#numbers, placeOf)
  }

  get bytes(): number {
    return this.#list.byteLength + (this.#numbers?.byteLength ?? 0)
  }

  /** Returns the series number at a place; `undefined` when there is none. */
  at(place: number): number | undefined {
    if (this.#numbers !== undefined) return this.#search(place)
    const found = this.#list[place] ?? 0
    return found === 0 ? undefined : found - 1
  }

  /** Yields the places of its series, in no order. */
  *places(): Generator<number> {
    for (const [place, found] of this.#list.entries()) {
      if (this.#numbers !== undefined) yield found
      else if (found !== 0) yield place
    }
  }

  #search(place: number): number | undefined {
    let low = 0
    let high = this.#list.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#list[middle] ?? 0) < place) low = middle + 1
      else high = middle
    }
    return this.#list[low] === place ? this.#numbers?.[low] : undefined
  }
}
