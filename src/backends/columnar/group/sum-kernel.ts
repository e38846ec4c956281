import { columnOfValues, toNumber, valueAt, type Column } from '../../../data/index.ts'
import { ExactLanes } from './exact-lanes.ts'
import type { GroupedRows, Kernel } from './kernel.ts'
import { CodeNumbers, magnitudeOf } from './number-view.ts'

/** Sum or mean of the numbers of one field. */
export class SumKernel implements Kernel {
  readonly #name: string
  readonly #lanes = new ExactLanes()
  readonly #numbers = new CodeNumbers()
  readonly #finish: (lanes: ExactLanes, group: number) => number | bigint

  constructor(name: string, finish: (lanes: ExactLanes, group: number) => number | bigint) {
    this.#name = name
    this.#finish = finish
  }

  reserve(bound: number): void {
    this.#lanes.reserve(bound)
  }

  add(grouped: GroupedRows): void {
    const { segment, rows, groups, length } = grouped
    const stored = segment.columns.get(this.#name)
    if (stored === undefined) return
    const { column } = stored
    const lanes = this.#lanes
    const magnitude = magnitudeOf(column, stored.zones)
    if (column.kind === 'float64' && magnitude !== undefined) {
      lanes.prepare(magnitude, length)
      if (stored.zones?.isInteger !== true) lanes.noteFractions()
      addFloats(lanes, column.values, grouped)
      return
    }
    const codeNumbers = column.kind === 'dictionary' ? this.#numbers.of(column.dictionary) : undefined
    if (column.kind === 'dictionary' && codeNumbers !== undefined) {
      lanes.prepare(codeNumbers.reduce(largerMagnitude, 0), length)
      if (codeNumbers.some(isFraction)) lanes.noteFractions()
      const { codes } = column
      for (let i = 0; i < length; i++) {
        const number = codeNumbers[codes[rows[i]]]
        if (number === number) lanes.add(groups[i], number)
      }
      return
    }
    for (let i = 0; i < length; i++) {
      const number = toNumber(valueAt(column, rows[i]))
      if (typeof number === 'bigint') lanes.addBig(groups[i], number)
      else if (number !== undefined) {
        lanes.prepare(Math.abs(number) < Infinity ? Math.abs(number) : 0, 1)
        if (isFraction(number)) lanes.noteFractions()
        lanes.add(groups[i], number)
      }
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

function largerMagnitude(size: number, number: number): number {
  return Math.abs(number) > size && Math.abs(number) < Infinity ? Math.abs(number) : size
}

/** NaN marks missing rows, and a stored NaN is no number either. */
function addFloats(lanes: ExactLanes, values: Float64Array, { rows, groups, length }: GroupedRows): void {
  for (let i = 0; i < length; i++) {
    const value = values[rows[i]]
    if (value === value) lanes.add(groups[i], value)
  }
}
