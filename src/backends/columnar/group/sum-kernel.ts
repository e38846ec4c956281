import { columnOfValues, toNumber, valueAt, type Column } from '../../../data/index.ts'
import type { SegmentRange } from '../scan/segment-range.ts'
import { CodeNumbers } from './code-numbers.ts'
import { ExactLanes } from './exact-lanes.ts'
import type { GroupedRows, Kernel } from './kernel.ts'

/** Sum or mean of the numbers of one field. */
export class SumKernel implements Kernel {
  readonly #name: string
  readonly #lanes: ExactLanes
  readonly #numbers = new CodeNumbers()
  readonly #finish: (lanes: ExactLanes, group: number) => number | bigint
  #scratch = new Float64Array(0)

  constructor(
    name: string,
    ranges: readonly SegmentRange[],
    finish: (lanes: ExactLanes, group: number) => number | bigint,
  ) {
    this.#name = name
    this.#lanes = new ExactLanes(this.#magnitude(ranges))
    this.#finish = finish
  }

  /** A bound of the sizes of the finite numbers. */
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
    this.#lanes.reserve(bound)
  }

  add({ segment, rows, groups, length }: GroupedRows): void {
    const stored = segment.columns.get(this.#name)
    if (stored === undefined) return
    const { column } = stored
    const lanes = this.#lanes
    if (column.kind === 'float64') {
      if (stored.zones?.isInteger !== true) lanes.noteFractions()
      lanes.addAll(column.values, rows, groups, length)
      return
    }
    const numbers = column.kind === 'dictionary' ? this.#numbers.of(column.dictionary) : undefined
    if (column.kind === 'dictionary' && numbers !== undefined) {
      if (numbers.some(isFraction)) lanes.noteFractions()
      const { codes } = column
      if (this.#scratch.length < segment.rowCount) this.#scratch = new Float64Array(segment.rowCount)
      const values = this.#scratch
      for (let i = 0; i < length; i++) values[rows[i]] = numbers[codes[rows[i]]]
      lanes.addAll(values, rows, groups, length)
      return
    }
    for (let i = 0; i < length; i++) {
      const number = toNumber(valueAt(column, rows[i]))
      if (number === undefined) continue
      if (typeof number === 'number' && isFraction(number)) lanes.noteFractions()
      lanes.add(groups[i], number)
    }
  }

  finish(groups: Uint32Array): Column {
    const values = new Float64Array(groups.length)
    for (let i = 0; i < groups.length; i++) {
      const value = this.#finish(this.#lanes, groups[i])
      if (typeof value === 'bigint') {
        return columnOfValues(Array.from(groups, (group) => this.#finish(this.#lanes, group)))
      }
      values[i] = value
    }
    return { kind: 'float64', length: values.length, values, validity: undefined }
  }

  bytes(): number {
    return this.#lanes.bytes()
  }
}

/** Not an integer within ±2^53, for which sums are kept exact beyond 2^53; NaN is no number. */
function isFraction(number: number): boolean {
  return number === number && !(Number.isInteger(number) && Math.abs(number) <= 2 ** 53)
}
