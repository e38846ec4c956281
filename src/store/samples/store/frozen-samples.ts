import type { SampleColumns } from '../sample-columns.ts'
import type { SamplesSource } from '../samples-part.ts'

/** Columns that were frozen together, by the slot of their series. */
export class FrozenSamples implements SamplesSource {
  readonly name: string
  /** The number of freezes of its store up to this one. */
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
