import {
  columnOfValues,
  createBitmap,
  hasBit,
  isEmptyValue,
  setBit,
  setRange,
  valueAt,
  type Bitmap,
  type Column,
  type Value,
} from '../../../data/index.ts'
import type { StatsKernel } from '../../../functions/index.ts'
import type { NamedWindow } from '../../../plan/index.ts'
import { CodeNumbers } from '../group/code-numbers.ts'
import { plainNumbers } from '../keys/plain-columns.ts'
import { RunningSums } from './running-sums.ts'

/** The rows of a window call in their order. */
export interface WindowRows {
  readonly kind: NamedWindow['frame']
  /** The partition of each row. */
  readonly groups: Uint32Array
  readonly groupCount: number
  /** Row numbers in the order in which the call sees them. */
  readonly order: Uint32Array
  /** The rows that the call counts; `undefined`: all. */
  readonly mask: Bitmap | undefined
}

type Lane = (args: readonly Column[], rows: WindowRows) => Column | undefined

/** A lane over the values of one argument. */
function ofOne(lane: (column: Column, rows: WindowRows) => Column | undefined): Lane {
  return ([column, ...more], rows) => (column === undefined || more.length > 0 ? undefined : lane(column, rows))
}

const lanes: { readonly [K in StatsKernel]?: Lane } = {
  present: (args, rows) => countColumn(args.length === 0 ? rows.mask : both(rows.mask, presentInAny(args)), rows),
  empty: (args, rows) => countColumn(both(rows.mask, emptyInAll(args)), rows),
  sum: ofOne((column, rows) => sumColumn(column, rows, (sums, group) => sums.sum(group))),
  mean: ofOne((column, rows) => sumColumn(column, rows, (sums, group) => sums.mean(group))),
  least: ofOne((column, rows) => extremeColumn(-1, column, rows)),
  greatest: ofOne((column, rows) => extremeColumn(1, column, rows)),
}

/** The values of a call over plain columns; `undefined` when its function or its columns have no short way. */
export function laneColumn(
  kernel: StatsKernel | undefined,
  args: readonly Column[],
  rows: WindowRows,
): Column | undefined {
  return kernel === undefined ? undefined : lanes[kernel]?.(args, rows)
}

function float64Column(values: Float64Array, validity?: Bitmap): Column {
  return { kind: 'float64', length: values.length, values, validity }
}

function countColumn(counted: Bitmap | undefined, { kind, groups, groupCount, order }: WindowRows): Column {
  const counts = new Float64Array(groupCount)
  const values = new Float64Array(groups.length)
  const isRunning = kind === 'running'
  for (let i = 0; i < order.length; i++) {
    const row = order[i]
    const group = groups[row]
    if (counted === undefined || hasBit(counted, row)) counts[group]++
    if (isRunning) values[row] = counts[group]
  }
  if (!isRunning) for (let row = 0; row < values.length; row++) values[row] = counts[groups[row]]
  return float64Column(values)
}

type FinishSums = (sums: RunningSums, group: number) => number | bigint

function sumColumn(column: Column, rows: WindowRows, finish: FinishSums): Column | undefined {
  const numbers = numbersOf(column)
  if (numbers === undefined) return undefined
  const { kind, groups, groupCount, order, mask } = rows
  const sums = new RunningSums(groupCount)
  const valueOf = (group: number): number | bigint => finish(sums, group)
  const isRunning = kind === 'running'
  const values = new Float64Array(groups.length)
  /** Values that are beyond a float, by their row. */
  const big = new Map<number, bigint>()
  const put = (row: number, value: number | bigint): void => {
    if (typeof value === 'bigint') big.set(row, value)
    else values[row] = value
  }
  for (let i = 0; i < order.length; i++) {
    const row = order[i]
    const number = numbers[row]
    if (number === number && (mask === undefined || hasBit(mask, row))) sums.add(groups[row], number)
    if (isRunning) put(row, valueOf(groups[row]))
  }
  if (!isRunning) {
    const finished = Array.from({ length: groupCount }, (_, group) => valueOf(group))
    for (let row = 0; row < values.length; row++) put(row, finished[groups[row]])
  }
  if (big.size === 0) return float64Column(values)
  return columnOfValues(Array.from(values, (value, row): Value => big.get(row) ?? value))
}

/** The greatest number, or with sign -1 the least; a column with NaN among its numbers has no short way. */
function extremeColumn(sign: 1 | -1, column: Column, rows: WindowRows): Column | undefined {
  const plain = plainNumbers(column)
  if (plain === undefined || hasNan(plain.values, plain.validity)) return undefined
  const { kind, groups, groupCount, order, mask } = rows
  const isRunning = kind === 'running'
  /** By group; NaN while there is none. */
  const best = new Float64Array(groupCount).fill(NaN)
  const values = new Float64Array(groups.length)
  for (let i = 0; i < order.length; i++) {
    const row = order[i]
    const group = groups[row]
    const number = plain.values[row]
    if (number === number && (mask === undefined || hasBit(mask, row))) {
      const before = best[group]
      if (!(sign === 1 ? number <= before : number >= before)) best[group] = number
    }
    if (isRunning) values[row] = best[group]
  }
  if (!isRunning) for (let row = 0; row < values.length; row++) values[row] = best[groups[row]]
  if (plain.validity === undefined && mask === undefined) return float64Column(values)
  const validity = createBitmap(values.length)
  let isAll = true
  for (let row = 0; row < values.length; row++) {
    if (values[row] === values[row]) setBit(validity, row)
    else isAll = false
  }
  return float64Column(values, isAll ? undefined : validity)
}

function hasNan(values: Float64Array, validity: Bitmap | undefined): boolean {
  for (let row = 0; row < values.length; row++) {
    if (values[row] !== values[row] && (validity === undefined || hasBit(validity, row))) return true
  }
  return false
}

/** Per row the number that functions see, NaN for none; `undefined` when the column may hold more than floats. */
function numbersOf(column: Column): Float64Array | undefined {
  if (column.kind !== 'dictionary') return plainNumbers(column)?.values
  const { codes, dictionary, length } = column
  // To read all entries for few rows would be the long way.
  const numbers = dictionary.size > 2 * length + 1024 ? undefined : new CodeNumbers().of(dictionary)
  if (numbers === undefined) return undefined
  const values = new Float64Array(length)
  for (let row = 0; row < length; row++) values[row] = numbers[codes[row]]
  return values
}

/** Rows with a value that is not empty. */
function present(column: Column, into: Bitmap): void {
  const { length } = column
  if (column.kind === 'float64') {
    if (column.validity === undefined) setRange(into, 0, length)
    else for (let i = 0; i < column.validity.length; i++) into[i] |= column.validity[i]
    return
  }
  if (column.kind === 'dictionary') {
    const { codes, dictionary } = column
    const { offsets, isAllText } = dictionary
    for (let row = 0; row < length; row++) {
      const code = codes[row]
      const isThere = isAllText ? offsets[code] !== offsets[code + 1] : !isEmptyValue(dictionary.valueAt(code))
      if (code !== 0 && isThere) setBit(into, row)
    }
    return
  }
  for (let row = 0; row < length; row++) if (!isEmptyValue(valueAt(column, row))) setBit(into, row)
}

function presentInAny(columns: readonly Column[]): Bitmap {
  const rows = createBitmap(columns[0].length)
  for (const column of columns) present(column, rows)
  return rows
}

function emptyInAll(columns: readonly Column[]): Bitmap {
  return presentInAny(columns).map((word) => ~word)
}

function both(a: Bitmap | undefined, b: Bitmap): Bitmap {
  return a === undefined ? b : b.map((word, index) => word & a[index])
}
