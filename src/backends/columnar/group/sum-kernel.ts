import { columnOfValues, toNumber, valueAt, type Column, type Value } from '../../../data/index.ts'
import { ExactLanes } from './exact-lanes.ts'
import { eachRow, type GroupedRows, type Kernel } from './kernel.ts'
import { CodeNumbers, magnitudeOf } from './number-view.ts'

/** Sum or mean of the numbers of one field. */
export class SumKernel implements Kernel {
  readonly #name: string
  readonly #lanes = new ExactLanes()
  readonly #numbers = new CodeNumbers()
  readonly #finish: (lanes: ExactLanes, group: number) => Value

  constructor(name: string, finish: (lanes: ExactLanes, group: number) => Value) {
    this.#name = name
    this.#finish = finish
  }

  reserve(bound: number): void {
    this.#lanes.reserve(bound)
  }

  add(grouped: GroupedRows): void {
    const { slice } = grouped
    const stored = slice.segment.columns.get(this.#name)
    if (stored === undefined) return
    const { column } = stored
    const lanes = this.#lanes
    const magnitude = magnitudeOf(column, stored.zones)
    if (column.kind === 'float64' && magnitude !== undefined) {
      lanes.prepare(magnitude, slice.length)
      if (stored.zones?.isInteger !== true) lanes.noteFractions()
      addFloats(lanes, column.values, grouped)
      return
    }
    const codeNumbers = column.kind === 'dictionary' ? this.#numbers.of(column.dictionary) : undefined
    if (column.kind === 'dictionary' && codeNumbers !== undefined) {
      lanes.prepare(codeNumbers.reduce(largerMagnitude, 0), slice.length)
      if (codeNumbers.some(isFraction)) lanes.noteFractions()
      const { codes } = column
      eachRow(grouped, (row, group) => {
        const number = codeNumbers[codes[row]]
        if (number === number) lanes.add(group, number)
      })
      return
    }
    eachRow(grouped, (row, group) => {
      const number = toNumber(valueAt(column, row))
      if (typeof number === 'bigint') lanes.addBig(group, number)
      else if (number !== undefined) {
        lanes.prepare(Math.abs(number) < Infinity ? Math.abs(number) : 0, 1)
        if (isFraction(number)) lanes.noteFractions()
        lanes.add(group, number)
      }
    })
  }

  finish(groups: Uint32Array): Column {
    return columnOfValues(Array.from(groups, (group) => this.#finish(this.#lanes, group)))
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
function addFloats(lanes: ExactLanes, values: Float64Array, { slice, ids, at }: GroupedRows): void {
  const { rows, from, length } = slice
  if (at === undefined && rows === undefined) {
    for (let i = 0; i < length; i++) {
      const value = values[from + i]
      if (value === value) lanes.add(ids[i], value)
    }
    return
  }
  const count = at === undefined ? length : at.length
  for (let k = 0; k < count; k++) {
    const i = at === undefined ? k : at[k]
    const value = values[rows === undefined ? from + i : rows[i]]
    if (value === value) lanes.add(ids[i], value)
  }
}
