import { sharedMemory } from '../../../base/index.ts'
import type { Codes, Column } from '../../../data/index.ts'
import type { GroupedRows, Kernel, KernelPartials } from './kernel.ts'

/**
 * Counts the rows of each group. The result is the count divided by `divisor`; a divisor other than 1 makes it a rate.
 */
export class CountKernel implements Kernel {
  counts: Uint32Array = new Uint32Array(1)
  readonly #divisor: number

  constructor(divisor = 1) {
    this.#divisor = divisor
  }

  /** True if the result is the count itself, not a rate. */
  get isPlain(): boolean {
    return this.#divisor === 1
  }

  reserve(bound: number): void {
    if (this.counts.length >= bound) return
    const before = this.counts
    // Shared memory, because another thread may read these counts.
    this.counts = new Uint32Array(sharedMemory(4 * Math.max(bound, before.length * 2)))
    this.counts.set(before)
  }

  add({ groups, length }: GroupedRows): void {
    this.addRows(groups, length)
  }

  /** Adds one to the count of group `groups[i]`, for each `i` below `length`. */
  addRows(groups: Codes, length: number): void {
    const { counts } = this
    for (let i = 0; i < length; i++) counts[groups[i]]++
  }

  /** Adds the counts of another thread with the same group numbers. */
  addCounts(given: Uint32Array): void {
    const { counts } = this
    for (let group = 0; group < given.length; group++) counts[group] += given[group]
  }

  finish(groups: Uint32Array): Column {
    const values = new Float64Array(groups.length)
    for (let i = 0; i < groups.length; i++) values[i] = this.counts[groups[i]] / this.#divisor
    return { kind: 'float64', length: values.length, values, validity: undefined }
  }

  bytes(): number {
    return this.counts.byteLength
  }

  release(): void {
    this.counts = new Uint32Array(1)
  }

  readonly partials: KernelPartials<Uint32Array> = {
    exportPartial: (bound) => {
      const given = this.counts.subarray(0, bound)
      this.counts = new Uint32Array(1)
      return given
    },
    mergePartial: (given, groups) => {
      const { counts } = this
      for (let group = 0; group < given.length; group++) counts[groups[group]] += given[group]
    },
  }
}
