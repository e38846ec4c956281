import { ExactSum } from '../../data/index.ts'
import type { Value } from './value.ts'

/** Treatment of points without an ordinary number by a reducer. */
export interface ReducerMode {
  /**
   * `strict`: points without a value are dropped; NaN and infinities count. `dropNN`: NaN and infinities are dropped
   * too. `replaceNN`: all of these are replaced by `replacement`.
   */
  readonly mode: 'strict' | 'dropNN' | 'replaceNN'
  readonly replacement: number
}

export const strictMode: ReducerMode = { mode: 'strict', replacement: 0 }

type Reduce = (numbers: readonly number[]) => Value

function exactSum(numbers: readonly number[]): ExactSum {
  const total = new ExactSum()
  for (const number of numbers) total.addNumber(number)
  return total
}

/** Makes a reducer return no value for an empty list, and NaN if a number is NaN. */
function ofNumbers(reduce: (numbers: readonly number[]) => number): Reduce {
  return (numbers) => (numbers.length === 0 ? undefined : numbers.some(Number.isNaN) ? NaN : reduce(numbers))
}

/** Makes a reducer ignore NaN, and return no value for an empty list. */
function ofOrdered(reduce: (numbers: readonly number[]) => number): Reduce {
  return (numbers) => {
    const found = numbers.filter((number) => !Number.isNaN(number))
    return found.length === 0 ? undefined : reduce(found)
  }
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const high = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? high : ((sorted[half - 1] ?? 0) + high) / 2
}

function difference(numbers: readonly number[]): number {
  return numbers.length === 1 ? 0 : (numbers.at(-1) ?? 0) - (numbers[0] ?? 0)
}

function percentage(numbers: readonly number[]): number {
  return numbers.length === 1 ? 0 : (difference(numbers) / Math.abs(numbers[0] ?? 0)) * 100
}

/**
 * Reducers of one series (points, oldest first) to one number. `count` is not included, because it also counts points
 * without a value.
 */
const reducers = {
  last: (numbers) => numbers.at(-1),
  first: (numbers) => numbers[0],
  mean: ofNumbers((numbers) => exactSum(numbers).mean(numbers.length)),
  sum: ofNumbers((numbers) => Number(exactSum(numbers).value())),
  min: ofNumbers((numbers) => numbers.reduce((a, b) => Math.min(a, b))),
  max: ofNumbers((numbers) => numbers.reduce((a, b) => Math.max(a, b))),
  count_non_null: ofOrdered((numbers) => numbers.length),
  median: ofOrdered(median),
  diff: ofOrdered(difference),
  diff_abs: ofOrdered((numbers) => Math.abs(difference(numbers))),
  percent_diff: ofOrdered(percentage),
  percent_diff_abs: ofOrdered((numbers) => Math.abs(percentage(numbers))),
} as const satisfies Readonly<Record<string, Reduce>>

export type ReducerType = keyof typeof reducers | 'count'

/** Returns the reducer with a name, ignoring case; `undefined` if there is none. `math` does not reduce points. */
export function reducerType(word: string): ReducerType | undefined {
  const name = word.trim().toLowerCase()
  if (name === 'avg') return 'mean'
  return name === 'count' || Object.hasOwn(reducers, name) ? (name as ReducerType) : undefined
}

/**
 * Reduces the points of a series, oldest first, to one number. Sums are exact and independent of the order. The rules
 * are those of Grafana's reducers; see rulings M17 to M20 on alerting.
 */
export function reducePoints(type: ReducerType, points: readonly Value[], { mode, replacement }: ReducerMode): Value {
  const numbers: number[] = []
  for (const point of points) {
    const isNumber = point !== undefined && (mode === 'strict' || Number.isFinite(point))
    if (isNumber) numbers.push(point)
    else if (mode === 'replaceNN') numbers.push(replacement)
  }
  const reduced = type === 'count' ? (mode === 'strict' ? points.length : numbers.length) : reducers[type](numbers)
  return reduced === undefined && mode === 'replaceNN' ? replacement : reduced
}
