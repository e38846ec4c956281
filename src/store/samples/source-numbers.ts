import type { SamplesSource } from './samples-part.ts'

/** Where places are so many times more than series, looking one up by halves takes less memory than a list of all. */
const SPARSE_PARTS = 4

/** Which series of a source stands at a place of the store: 4 to 16 bytes a series, where an object each would take a hundred. */
export class SourceNumbers {
  /** By place, one more than the number; or the places, ascending. */
  readonly #list: Uint32Array
  /** Numbers by the order of places, where `#list` has these. */
  readonly #numbers: Uint32Array | undefined

  /** Of the series that have samples. */
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

  /** `undefined` where it has none. */
  at(place: number): number | undefined {
    if (this.#numbers !== undefined) return this.#search(place)
    const found = this.#list[place] ?? 0
    return found === 0 ? undefined : found - 1
  }

  /** Places of its series, in no order. */
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
