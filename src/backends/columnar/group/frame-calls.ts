import type { Meter } from '../../../base/index.ts'
import {
  hasBit,
  isEmptyValue,
  toNumber,
  valueAt,
  type Column,
  type Dictionary,
  type Value,
} from '../../../data/index.ts'
import type { StatsFunction, StatsKernel } from '../../../functions/index.ts'
import type { AggregateCall } from '../../../plan/index.ts'
import type { Evaluate, ExprCompiler } from '../expr/compile.ts'
import type { Frame } from '../frame.ts'
import { WHOLE_DICTIONARY_ENTRIES } from '../tuning.ts'
import { CodeNumbers } from '../keys/code-numbers.ts'
import { CountKernel } from './count-kernel.ts'
import { ExactSums, FULL_VALUES, GREATEST_LIMIT, isFraction, type PartialSums } from './exact-sums.ts'

/** Moves the state of one aggregate from one thread to another. */
export interface FrameCallPartials {
  /** Returns the state of the groups below `bound` as plain data and resets it. */
  readonly exportPartial: (bound: number) => unknown
  /**
   * Adds the state of another thread. Group `i` of the other thread is group `groups[i]` of this thread, which is below
   * `bound`.
   */
  readonly mergePartial: (partial: unknown, groups: Uint32Array, bound: number) => void
}

/** The group number of each row in a frame. */
export interface RowGroups {
  /** Row `i` belongs to group `of[i]`. */
  readonly of: Uint32Array
  /** An exclusive upper bound of all group numbers so far. */
  readonly bound: number
}

/** The states of one aggregate call for all groups. Rows are added frame by frame. */
export interface FrameCall {
  /** Present if several threads can share the rows and merge their states. */
  readonly partials?: FrameCallPartials
  /** Estimated bytes by which each row enlarges the state. */
  readonly bytesPerRow: number
  add(frame: Frame, groups: RowGroups): void
  /**
   * Returns the result of a group for the rows so far; more rows may follow. The memory of a long value is charged to
   * `meter`.
   */
  finish(group: number, meter: Meter): Value
}

/**
 * Makes a call that processes whole columns, for functions such as `count` and `sum`; `undefined` for other functions.
 */
export function frameCall(fn: StatsFunction, call: AggregateCall, compiler: ExprCompiler): FrameCall | undefined {
  if (call.filter !== undefined || call.orderBy.length > 0 || call.args.some((arg) => arg.kind === 'columns')) {
    return undefined
  }
  const args = call.args.map((arg) => compiler.expr(arg))
  return fn.kernel === undefined ? undefined : frameCalls[fn.kernel]?.(args)
}

const frameCalls: { readonly [K in StatsKernel]?: (args: readonly Evaluate[]) => FrameCall } = {
  present: (args) => new CountCall(args),
  sum: (args) => new SumCall(args, (sums, group) => sums.sum(group)),
  mean: (args) => new SumCall(args, (sums, group) => sums.mean(group)),
}

/** Counts rows. With arguments, counts only the rows in which at least one argument is not empty. */
class CountCall implements FrameCall {
  readonly bytesPerRow = 0
  readonly #args: readonly Evaluate[]
  readonly #counts = new CountKernel()

  constructor(args: readonly Evaluate[]) {
    this.#args = args
  }

  add(frame: Frame, { of, bound }: RowGroups): void {
    this.#counts.reserve(bound)
    const { counts } = this.#counts
    const length = frame.rowCount
    if (this.#args.length === 0) {
      this.#counts.addRows(of, length)
      return
    }
    const columns = this.#args.map((evaluate) => evaluate(frame)).filter((column) => !isAllEmpty(column))
    if (columns.length === 0) return
    const isPresent = new Uint8Array(length)
    for (const column of columns) markPresent(column, isPresent)
    for (let row = 0; row < length; row++) counts[of[row]] += isPresent[row]
  }

  readonly partials: FrameCallPartials = {
    exportPartial: (bound) => this.#counts.partials.exportPartial(bound),
    mergePartial: (partial, groups, bound) => {
      this.#counts.reserve(bound)
      this.#counts.partials.mergePartial(partial as Uint32Array, groups)
    },
  }

  finish(group: number): Value {
    return this.#counts.counts[group] ?? 0
  }
}

function isAllEmpty(column: Column): boolean {
  return column.kind === 'constant' && isEmptyValue(column.value)
}

/** Sets `isPresent[row]` to 1 for each row with a non-empty value; other entries keep their value. */
function markPresent(column: Column, isPresent: Uint8Array): void {
  const { length } = column
  if (column.kind === 'constant') {
    if (!isEmptyValue(column.value)) isPresent.fill(1)
  } else if (column.kind === 'float64') {
    const { validity } = column
    if (validity === undefined) isPresent.fill(1)
    else for (let row = 0; row < length; row++) if (hasBit(validity, row)) isPresent[row] = 1
  } else if (column.kind === 'dictionary') {
    const { codes, dictionary } = column
    const empty = emptyCode(dictionary)
    for (let row = 0; row < length; row++) if (codes[row] !== 0 && codes[row] !== empty) isPresent[row] = 1
  } else {
    for (let row = 0; row < length; row++) if (!isEmptyValue(valueAt(column, row))) isPresent[row] = 1
  }
}

/** Returns the code of the entry `''` in a dictionary; 0 when there is none. */
function emptyCode(dictionary: Dictionary): number {
  return dictionary.findFolded('')[0] ?? 0
}

/**
 * Factor from the largest number so far to the limit of the partial sums. A number above the limit moves all partial
 * sums, which is slow.
 */
const MARGIN = 8

/** The sum or mean of the numbers in all arguments. */
class SumCall implements FrameCall {
  readonly bytesPerRow = 0
  readonly #args: readonly Evaluate[]
  readonly #finish: (sums: ExactSums, group: number) => number | bigint
  readonly #numbers = new CodeNumbers()
  #sums: ExactSums | undefined
  #scratch = new Float64Array(0)

  constructor(args: readonly Evaluate[], finish: (sums: ExactSums, group: number) => number | bigint) {
    this.#args = args
    this.#finish = finish
  }

  add(frame: Frame, groups: RowGroups): void {
    for (const evaluate of this.#args) this.#addColumn(evaluate(frame), groups)
  }

  #addInBatches(values: Float64Array, { of, bound }: RowGroups): void {
    for (let from = 0; from < values.length; from += FULL_VALUES) {
      const end = from + FULL_VALUES
      this.#addNumbers(values.subarray(from, end), { of: of.subarray(from, end), bound })
    }
  }

  #addColumn(column: Column, groups: RowGroups): void {
    const numbers = this.#numbersOf(column)
    if (numbers !== undefined) {
      this.#addInBatches(numbers, groups)
      return
    }
    const { of, bound } = groups
    const sums = this.#sumsFor(0, bound)
    for (let row = 0; row < column.length; row++) {
      const number = toNumber(valueAt(column, row))
      if (number === undefined) continue
      if (typeof number === 'number' && isFraction(number)) sums.noteFraction(of[row])
      sums.add(of[row], number)
    }
  }

  /** Returns the numbers of a column, NaN for other values. `undefined` when the values must be read one by one. */
  #numbersOf(column: Column): Float64Array | undefined {
    const { length } = column
    if (column.kind === 'float64')
      return column.values.length === length ? column.values : column.values.subarray(0, length)
    if (this.#scratch.length < length) this.#scratch = new Float64Array(length)
    const values = this.#scratch.subarray(0, length)
    if (column.kind === 'constant') {
      const number = toNumber(column.value)
      return typeof number === 'bigint' ? undefined : values.fill(number ?? NaN)
    }
    if (column.kind !== 'dictionary' || column.dictionary.size > WHOLE_DICTIONARY_ENTRIES) return undefined
    const { codes, dictionary } = column
    const numbers = this.#numbers.of(dictionary)
    // The dictionary may have grown since its entries were parsed.
    if (numbers === undefined || numbers.length < dictionary.size) return undefined
    for (let row = 0; row < length; row++) values[row] = numbers[codes[row]]
    return values
  }

  #addNumbers(values: Float64Array, { of, bound }: RowGroups): void {
    const { length } = values
    let largest = 0
    for (let i = 0; i < length; i++) {
      const size = Math.abs(values[i])
      if (size < Infinity && size > largest) largest = size
    }
    const sums = this.#sumsFor(largest, bound)
    sums.addAll(values, undefined, of, length)
    if (sums.areFractional(bound)) return
    for (let i = 0; i < length; i++) if (isFraction(values[i])) sums.noteFraction(of[i])
  }

  /** Returns sums that can split numbers up to this absolute value, with entries for all groups below `bound`. */
  #sumsFor(size: number, bound: number): ExactSums {
    this.#sums ??= new ExactSums(Math.max(size, 2 ** -700) * MARGIN)
    if (size > this.#sums.limit && this.#sums.limit < GREATEST_LIMIT) this.#sums.widen(size * MARGIN)
    this.#sums.reserve(bound)
    return this.#sums
  }

  readonly partials: FrameCallPartials = {
    exportPartial: (bound) => this.#sumsFor(0, bound).exportSums(bound),
    mergePartial: (partial, groups, bound) => this.#sumsFor(0, bound).mergePartial(partial as PartialSums, groups),
  }

  finish(group: number): Value {
    return this.#finish(this.#sumsFor(0, group + 1), group)
  }
}
