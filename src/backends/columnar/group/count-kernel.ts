import { type Column } from '../../../data/index.ts'
import { grown, type GroupedRows, type Kernel } from './kernel.ts'

/** Counts rows; `divisor` turns the count into a rate. */
export class CountKernel implements Kernel {
  counts: Float64Array = new Float64Array(1)
  readonly #divisor: number

  constructor(divisor = 1) {
    this.#divisor = divisor
  }

  reserve(bound: number): void {
    this.counts = grown(this.counts, bound)
  }

  add({ slice, ids, at }: GroupedRows): void {
    const { counts } = this
    if (at === undefined) {
      const { length } = slice
      for (let i = 0; i < length; i++) counts[ids[i]]++
    } else {
      for (let k = 0; k < at.length; k++) counts[ids[at[k]]]++
    }
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
