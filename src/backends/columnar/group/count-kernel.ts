import type { Codes, Column } from '../../../data/index.ts'
import type { GroupedRows, Kernel, KernelParts } from './kernel.ts'
import { keepCounts, takeCounts } from './spare-counts.ts'

/** Up to so many groups every second row is counted apart. */
const MOST_APART = 4096
/** So many rows a group there are at least: adding up takes a look at each group. */
const ROWS_APART = 8

/** Counts of every second row while they are added; zeros before and after. */
const apart = new Uint32Array(MOST_APART)

/** Rows of one group mostly come one behind the other, and its counter is read again only once it has been written: two of them take turns. */
function countByTurns(counts: Uint32Array, groups: Uint32Array, length: number): void {
  for (let i = 1; i < length; i += 2) {
    counts[groups[i - 1]]++
    apart[groups[i]]++
  }
  if (length % 2 === 1) counts[groups[length - 1]]++
  for (let group = 0; group < counts.length; group++) {
    counts[group] += apart[group]
    apart[group] = 0
  }
}

/** Counts rows; `divisor` turns the count into a rate. */
export class CountKernel implements Kernel {
  counts: Uint32Array = new Uint32Array(1)
  readonly #divisor: number

  constructor(divisor = 1) {
    this.#divisor = divisor
  }

  /** Whether the result is the count itself. */
  get isPlain(): boolean {
    return this.#divisor === 1
  }

  reserve(bound: number): void {
    if (this.counts.length >= bound) return
    const before = this.counts
    this.counts = takeCounts(Math.max(bound, before.length * 2))
    this.counts.set(before)
    keepCounts(before)
  }

  add({ groups, length }: GroupedRows): void {
    this.addRows(groups, length)
  }

  /** Counts one row for each of the first `length` groups. */
  addRows(groups: Codes, length: number): void {
    const { counts } = this
    const isApart = counts.length <= MOST_APART && length >= counts.length * ROWS_APART
    // One kind of array for that loop: it takes half of the time then.
    if (isApart && groups instanceof Uint32Array) countByTurns(counts, groups, length)
    else for (let i = 0; i < length; i++) counts[groups[i]]++
  }

  /** Adds the rows of groups that another thread has counted by the same numbers. */
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
    keepCounts(this.counts)
    this.counts = new Uint32Array(1)
  }

  readonly parts: KernelParts<Uint32Array> = {
    give: (bound) => {
      const given = this.counts.subarray(0, bound)
      this.counts = new Uint32Array(1)
      return given
    },
    take: (given, groups) => {
      const { counts } = this
      for (let group = 0; group < given.length; group++) counts[groups[group]] += given[group]
    },
  }
}
