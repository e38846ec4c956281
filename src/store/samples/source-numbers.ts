import type { SamplesSource } from './samples-part.ts'

/**
 * With more than this many slots per series, a sorted list with binary search takes less memory than a table of all
 * slots.
 */
const SPARSE_PARTS = 4

/**
 * Maps slots of a store to the series of one source. Two arrays for all series take far less memory than an object for
 * each.
 */
export class SourceNumbers {
  /**
   * If `#numbers` is absent: by slot, the series number plus 1, or 0. Otherwise: the slots of the series, ascending.
   */
  readonly #list: Uint32Array
  /** The series numbers, in the order of the slots in `#list`; absent if `#list` is a table by slot. */
  readonly #numbers: Uint32Array | undefined

  /** Indexes the series that have samples. `slots` has the slot of each series of the source. */
  constructor(source: SamplesSource, slots: Int32Array) {
    const all: number[] = []
    let end = 0
    for (const [number, slot] of slots.entries()) {
      if (source.part(number) === undefined) continue
      all.push(number)
      end = Math.max(end, slot + 1)
    }
    if (end <= all.length * SPARSE_PARTS) {
      this.#list = new Uint32Array(end)
      for (const number of all) this.#list[slots[number] ?? 0] = number + 1
      return
    }
    const slotOf = (number: number): number => slots[number] ?? 0
    this.#numbers = Uint32Array.from(all.sort((a, b) => slotOf(a) - slotOf(b)))
    this.#list = Uint32Array.from(this.#numbers, slotOf)
  }

  get bytes(): number {
    return this.#list.byteLength + (this.#numbers?.byteLength ?? 0)
  }

  /** Returns the number of the series at a slot; `undefined` if the source has none there. */
  at(slot: number): number | undefined {
    if (this.#numbers !== undefined) return this.#search(slot)
    const found = this.#list[slot] ?? 0
    return found === 0 ? undefined : found - 1
  }

  /** Yields the slots of all indexed series. */
  *slots(): Generator<number> {
    for (const [slot, found] of this.#list.entries()) {
      if (this.#numbers !== undefined) yield found
      else if (found !== 0) yield slot
    }
  }

  #search(slot: number): number | undefined {
    let low = 0
    let high = this.#list.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#list[middle] ?? 0) < slot) low = middle + 1
      else high = middle
    }
    return this.#list[low] === slot ? this.#numbers?.[low] : undefined
  }
}
