import { columnOfValues, toNumber, valueAt, type Column } from '../../../data/index.ts'
import type { GroupMemory } from '../kernels/group-memory.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import { CodeNumbers } from '../keys/code-numbers.ts'
import { ExactSums, isFraction, type PartialSums } from './exact-sums.ts'
import type { GroupedRows, Kernel, KernelPartials } from './kernel.ts'

/** The sum or mean of the numbers in one field, by group. */
export class SumKernel implements Kernel {
  readonly #name: string
  readonly #sums: ExactSums
  readonly #numbers = new CodeNumbers()
  readonly #finish: (sums: ExactSums, group: number) => number | bigint
  /** True if a sum may exceed ±2^53. The result depends on whether all numbers were integers only in this case. */
  readonly #mayLeaveSafe: boolean
  #scratch = new Float64Array(0)

  constructor(
    name: string,
    ranges: readonly SegmentRange[],
    finish: (sums: ExactSums, group: number) => number | bigint,
    memory: GroupMemory,
  ) {
    this.#name = name
    const magnitude = this.#magnitude(ranges)
    this.#sums = new ExactSums(magnitude, memory)
    this.#mayLeaveSafe = magnitude * ranges.reduce((sum, { segment }) => sum + segment.rowCount, 0) >= 2 ** 53
    this.#finish = finish
  }

  /** Returns an upper bound of the absolute values of the finite numbers in these ranges. */
  #magnitude(ranges: readonly SegmentRange[]): number {
    let size = 1
    for (const { segment } of ranges) {
      const stored = segment.columns.get(this.#name)
      if (stored?.column.kind === 'dictionary') size = Math.max(size, this.#numbers.magnitude(stored.column.dictionary))
      const zones = stored?.zones
      if (zones === undefined || zones.min > zones.max) continue
      size = Math.max(size, Math.min(2 ** 900, Math.max(Math.abs(zones.min), Math.abs(zones.max))))
    }
    return size
  }

  reserve(bound: number): void {
    this.#sums.reserve(bound)
  }

  add({ segment, rows, first, groups, length }: GroupedRows): void {
    const stored = segment.columns.get(this.#name)
    if (stored === undefined) return
    const { column } = stored
    const sums = this.#sums
    if (column.kind === 'float64') {
      if (first === undefined) sums.addAll(column.values, rows, groups, length)
      else sums.addAll(column.values.subarray(first, first + length), undefined, groups, length)
      if (stored.zones?.isInteger !== true) this.#noteFractions(column.values, rows, groups, length)
      return
    }
    const numbers = column.kind === 'dictionary' ? this.#numbers.of(column.dictionary) : undefined
    if (column.kind === 'dictionary' && numbers !== undefined) {
      const { codes } = column
      if (this.#scratch.length < segment.rowCount) this.#scratch = new Float64Array(segment.rowCount)
      const values = this.#scratch
      for (let i = 0; i < length; i++) values[rows[i]] = numbers[codes[rows[i]]]
      sums.addAll(values, rows, groups, length)
      if (numbers.some(isFraction)) this.#noteFractions(values, rows, groups, length)
      return
    }
    for (let i = 0; i < length; i++) {
      const number = toNumber(valueAt(column, rows[i]))
      if (number === undefined) continue
      if (typeof number === 'number' && isFraction(number)) sums.noteFraction(groups[i])
      sums.add(groups[i], number)
    }
  }

  #noteFractions(values: Float64Array, rows: GroupedRows['rows'], groups: GroupedRows['groups'], length: number): void {
    if (!this.#mayLeaveSafe) return
    for (let i = 0; i < length; i++) if (isFraction(values[rows[i]])) this.#sums.noteFraction(groups[i])
  }

  finish(groups: Uint32Array): Column {
    const values = new Float64Array(groups.length)
    for (let i = 0; i < groups.length; i++) {
      const value = this.#finish(this.#sums, groups[i])
      if (typeof value === 'bigint') {
        return columnOfValues(Array.from(groups, (group) => this.#finish(this.#sums, group)))
      }
      values[i] = value
    }
    return { kind: 'float64', length: values.length, values, validity: undefined }
  }

  bytes(): number {
    return this.#sums.bytes()
  }

  readonly partials: KernelPartials<PartialSums> = {
    exportPartial: (bound) => this.#sums.exportPartial(bound),
    // The dictionary may have grown between the reads of the two threads; a larger number in it changes the limit.
    fits: ({ limit }) => limit === this.#sums.limit,
    mergePartial: (partial, groups) => this.#sums.mergePartial(partial, groups),
  }
}
