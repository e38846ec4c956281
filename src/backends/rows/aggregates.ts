import { float, integer, isEmptyValue, toNumber, type Value } from '../../data/index.ts'
import { jsonArray } from '../../functions/index.ts'
import { nearestOf, unitsOf } from './exact.ts'
import { areSameKeys, compareKeys, isSameKey } from './order.ts'

/** What an aggregate sees: the argument values of each row, in order. */
export interface AggregateInput {
  readonly rows: readonly (readonly Value[])[]
  readonly params: readonly Value[]
  readonly limit: number | undefined
  /** Whether the call names arguments at all. */
  readonly hasArgs: boolean
}

type Aggregate = (input: AggregateInput) => Value

function presentValues(input: AggregateInput): Value[] {
  return input.rows.flat().filter((value) => !isEmptyValue(value))
}

function numbersOf(input: AggregateInput): (number | bigint)[] {
  return input.rows
    .flat()
    .map(toNumber)
    .filter((value) => value !== undefined)
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) <= 2 ** 53)
}

/** Infinity, or NaN when both are there; `undefined` when none is. */
function infiniteSum(numbers: readonly (number | bigint)[]): number | undefined {
  const infinite = numbers.filter((value) => value === Infinity || value === -Infinity)
  return infinite.length === 0
    ? undefined
    : infinite.every((value) => value === infinite[0])
      ? Number(infinite[0])
      : NaN
}

function sum(input: AggregateInput): Value {
  const numbers = numbersOf(input)
  if (numbers.length === 0) return NaN
  if (numbers.every(isWhole)) return integer(numbers.reduce<bigint>((total, value) => total + BigInt(value), 0n))
  return (
    infiniteSum(numbers) ??
    float(
      nearestOf(
        numbers.reduce<bigint>((total, value) => total + unitsOf(value), 0n),
        1n,
      ),
    )
  )
}

function avg(input: AggregateInput): Value {
  const numbers = numbersOf(input)
  if (numbers.length === 0) return NaN
  const total = infiniteSum(numbers)
  if (total !== undefined) return total
  return float(
    nearestOf(
      numbers.reduce<bigint>((units, value) => units + unitsOf(value), 0n),
      BigInt(numbers.length),
    ),
  )
}

function quantile(phi: number, input: AggregateInput): Value {
  const sorted = presentValues(input).sort(compareKeys)
  if (sorted.length === 0) return null
  if (phi <= 0) return sorted[0]
  return phi >= 1 ? sorted[sorted.length - 1] : sorted[Math.floor(phi * sorted.length)]
}

function countUniq(input: AggregateInput): Value {
  const tuples: (readonly Value[])[] = []
  for (const values of input.rows) {
    if (
      values.every(isEmptyValue) ||
      tuples.some((tuple) => tuple.length === values.length && areSameKeys(tuple, values))
    )
      continue
    tuples.push(values)
  }
  return Math.min(tuples.length, input.limit ?? Infinity)
}

function uniqValues(input: AggregateInput): Value {
  const distinct: Value[] = []
  for (const value of presentValues(input)) if (!distinct.some((known) => isSameKey(known, value))) distinct.push(value)
  return jsonArray(distinct.sort(compareKeys).slice(0, input.limit ?? Infinity))
}

const aggregates: { readonly [name: string]: Aggregate } = {
  count: ({ rows, hasArgs }) => rows.filter((values) => !hasArgs || values.some((v) => !isEmptyValue(v))).length,
  count_empty: ({ rows }) => rows.filter((values) => values.every(isEmptyValue)).length,
  count_uniq: countUniq,
  sum: sum,
  avg: avg,
  min: (input) => presentValues(input).sort(compareKeys)[0] ?? null,
  max: (input) => presentValues(input).sort(compareKeys).at(-1) ?? null,
  quantile: (input) => quantile(Number(toNumber(input.params[0]) ?? 0.5), input),
  median: (input) => quantile(0.5, input),
  any: (input) => presentValues(input)[0] ?? null,
  values: ({ rows, limit }) => jsonArray(rows.flat().slice(0, limit ?? Infinity)),
  uniq_values: uniqValues,
}

/** The common functions over the list of all values; the others come from the registry. */
export const naiveAggregates: ReadonlyMap<string, Aggregate> = new Map(Object.entries(aggregates))
