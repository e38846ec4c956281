import type { SampleColumns } from '../sample-columns.ts'
import type { SamplesSource } from '../samples-part.ts'

/** Columns of many series that were frozen together, by slot. */
export class FrozenSamples implements SamplesSource {
  readonly name: string
  /** The number of this freeze, counted from the first one of the store. */
  readonly number: number
  readonly order: number
  readonly columns: readonly (SampleColumns | undefined)[]
  readonly #slots: Int32Array

  constructor(number: number, order: number, columns: readonly (SampleColumns | undefined)[]) {
    this.name = `frozen ${number}`
    this.number = number
    this.order = order
    this.columns = columns
    this.#slots = Int32Array.from(columns.keys()).filter((slot) => columns[slot] !== undefined)
  }

  slots(): Int32Array {
    return this.#slots
  }

  part(series: number): SampleColumns | undefined {
    return this.columns[this.#slots[series] ?? -1]
  }

  get bytes(): number {
    return this.columns.reduce((total, columns) => total + (columns?.bytes ?? 0), 0)
  }
}
