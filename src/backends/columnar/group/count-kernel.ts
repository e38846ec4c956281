import { type Column } from '../../../data/index.ts'
import { grown, type GroupedRows, type Kernel } from './kernel.ts'

/** Counts rows; `divisor` turns the count into a rate. */
export class CountKernel implements Kernel {
  counts: Float64Array = new Float64Array(1)
  readonly #divisor: number

  constructor(divisor = 1) {
    this.#divisor = divisor
  }

  /** Whether the result is the count itself. */
  get isPlain(): boolean {
    return this.#divisor === 1
  }

  reserve(bound: number): void {
    this.counts = grown(this.counts, bound)
  }

  add({ groups, length }: GroupedRows): void {
    const { counts } = this
    for (let i = 0; i < length; i++) counts[groups[i]]++
  }

  finish(groups: Uint32Array): Column {
    const values = new Float64Array(groups.length)
    for (let i = 0; i < groups.length; i++) values[i] = this.counts[groups[i]] / this.#divisor
    return { kind: 'float64', length: values.length, values, validity: undefined }
  }

  bytes(): number {
    return this.counts.byteLength
  }
}
