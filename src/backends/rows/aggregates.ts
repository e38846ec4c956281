import type { Meter } from '../../base/index.ts'
import { float, integer, JsonText, type Value } from '../../data/index.ts'
import { isEmpty, jsonOf, numberOf, textOf } from './coerce.ts'
import { nearestOf, rootOf, unitsOf } from './exact.ts'
import {
  compareKeys,
  comparePositions,
  comparePositionsIn,
  keyOf,
  sortPositionOf,
  sortedBy,
  tupleKeyOf,
  type SortPosition,
} from './order.ts'

/** Input of a stats function from one row: the arguments with their names, and the sort keys of the call. */
export interface Seen {
  readonly values: readonly Value[]
  readonly names: readonly string[]
  readonly keys: readonly Value[]
}

/** A stats call with everything that its function needs. */
export interface ModelCall {
  readonly params: readonly Value[]
  readonly limit: number | undefined
  /** True if the call has arguments. */
  readonly hasArgs: boolean
  readonly directions: readonly ('asc' | 'desc')[]
  /** Length of the query's time range in seconds, by which `rate` divides. */
  readonly seconds: number
  /** The function's name for messages. `meter` is checked before the function makes a list. */
  readonly maker: string
  readonly meter: Meter
}

/** Aggregates rows one by one; `value` may be called after each row. */
export interface Running {
  readonly add: (row: Seen) => void
  readonly value: () => Value
}

type ModelFunction = (call: ModelCall) => Running

function countOf(counts: (row: Seen) => boolean, value: (count: number) => Value = (count) => count): Running {
  let count = 0
  return {
    add: (row) => {
      if (counts(row)) count++
    },
    value: () => value(count),
  }
}

/** The sums so far, exact: in units of 2^-1074 for numbers, 2^-2148 for squares. */
interface Totals {
  readonly count: number
  readonly units: bigint
  readonly squares: bigint
  /** True if all numbers so far are bigints or integers within ±2^53. */
  readonly isWhole: boolean
  readonly infinities: ReadonlySet<number>
}

function totalled(value: (totals: Totals) => Value): Running {
  let [count, units, squares, isWhole] = [0, 0n, 0n, true]
  const infinities = new Set<number>()
  return {
    add: (row) => {
      for (const number of row.values.map(numberOf)) {
        if (number === undefined) continue
        count++
        isWhole &&= typeof number === 'bigint' || (Number.isInteger(number) && Math.abs(number) <= 2 ** 53)
        if (number === Infinity || number === -Infinity) infinities.add(number)
        else {
          units += unitsOf(number)
          squares += unitsOf(number) ** 2n
        }
      }
    },
    value: () => value({ count, units, squares, isWhole, infinities }),
  }
}

/** Returns the sum of infinities; NaN if both signs occurred. */
function infiniteOf(infinities: ReadonlySet<number>): number {
  return infinities.size === 1 ? ([...infinities][0] ?? NaN) : NaN
}

function sumOf({ count, units, isWhole, infinities }: Totals): number | bigint {
  if (count === 0) return NaN
  if (infinities.size > 0) return infiniteOf(infinities)
  return isWhole ? integer(units >> 1074n) : float(nearestOf(units, 1n))
}

function avgOf({ count, units, infinities }: Totals): number {
  if (count === 0) return NaN
  return infinities.size > 0 ? infiniteOf(infinities) : float(nearestOf(units, BigInt(count)))
}

/** Returns the standard deviation: the square root of the float nearest to the variance (n·Σx² − (Σx)²) / n². */
function stddevOf({ count, units, squares, infinities }: Totals): number {
  if (count === 0 || infinities.size > 0) return NaN
  const n = BigInt(count)
  return rootOf(n * squares - units ** 2n, (n ** 2n) << 2148n)
}

/** Keeps all values sorted, or all that are not empty, and computes a result from them. */
function ranked(countsEmpty: boolean, value: (sorted: readonly SortPosition[]) => Value): Running {
  const sorted: SortPosition[] = []
  /** Returns the index at which to insert a value: after equal values. Empty values come first. */
  const rankIn = (position: SortPosition): number => {
    if (position.class === 'empty') return 0
    let [from, to] = [0, sorted.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const other = sorted[middle]
      if (other === undefined || other.class === 'empty' || compareKeys(other, position) <= 0) from = middle + 1
      else to = middle
    }
    return from
  }
  return {
    add: (row) => {
      for (const position of row.values.map(sortPositionOf)) {
        if (position.class !== 'empty' || countsEmpty) sorted.splice(rankIn(position), 0, position)
      }
    },
    value: () => value(sorted),
  }
}

function valueAt(sorted: readonly SortPosition[], index: number): Value {
  const value = sorted[Math.max(0, Math.min(index, sorted.length - 1))]?.value ?? null
  return isEmpty(value) ? null : value
}

function quantile(phi: number, countsEmpty = false): Running {
  return ranked(countsEmpty, (sorted) => valueAt(sorted, phi > 0 ? Math.floor(Math.min(phi, 1) * sorted.length) : 0))
}

function phiOf({ params }: ModelCall): number {
  return Number(numberOf(params[0] ?? null) ?? 0.5)
}

/** Keeps only the minimum or maximum. */
function extreme(isBetter: (order: number) => boolean, countsEmpty = false): Running {
  let best: SortPosition | undefined
  return {
    add: (row) => {
      for (const position of row.values.map(sortPositionOf)) {
        if (position.class === 'empty' && !countsEmpty) continue
        if (best?.class === 'empty') continue
        if (best === undefined || position.class === 'empty' || isBetter(compareKeys(position, best))) best = position
      }
    },
    value: () => (best === undefined || isEmpty(best.value) ? null : best.value),
  }
}

function countUniq({ limit }: ModelCall): Running {
  const tuples = new Set<string>()
  return {
    add: ({ values }) => {
      if (!values.every(isEmpty)) tuples.add(tupleKeyOf(values))
    },
    value: () => Math.min(tuples.size, limit ?? Infinity),
  }
}

function jsonList(items: readonly string[], meter: Meter, maker: string): JsonText {
  meter.items(items.length, maker)
  return new JsonText(`[${items.join(',')}]`)
}

/** Returns the JSON string of a value's text form. */
const textJsonOf = (value: Value): string => JSON.stringify(textOf(value))

function uniqValues({ limit, maker, meter }: ModelCall, asText = false): Running {
  const seen = new Set<string>()
  const list = ranked(false, (sorted) =>
    jsonList(
      sorted.slice(0, limit).map(({ value }) => jsonOf(value)),
      meter,
      maker,
    ),
  )
  return {
    add: (row) => {
      const given = asText ? row.values.map(textOf) : row.values
      const values = given.filter((value) => {
        const isNew = !seen.has(keyOf(value))
        seen.add(keyOf(value))
        return isNew
      })
      list.add({ ...row, values })
    },
    value: list.value,
  }
}

function valueList({ limit, maker, meter }: ModelCall, json = jsonOf): Running {
  const items: string[] = []
  return {
    add: ({ values }) => items.push(...values.map(json)),
    value: () => jsonList(items.slice(0, limit), meter, maker),
  }
}

/**
 * Returns a JSON object of the fields that have a value, each name once. If values are written as strings, empty ones
 * are omitted.
 */
function objectOf(names: readonly string[], values: readonly Value[], json: typeof jsonOf): string {
  const fields = new Map(names.map((name, i) => [name, values[i] ?? null]))
  const members = [...fields].filter(([, value]) => (json === textJsonOf ? !isEmpty(value) : value !== null))
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${json(value)}`).join(',')}}`
}

function jsonValues({ limit, directions, maker, meter }: ModelCall, json = jsonOf): Running {
  const rows: Seen[] = []
  return {
    add: (row) => rows.push(row),
    value: () => {
      const sorted = sortedBy(
        rows,
        (row) => row.keys,
        (a, b, i) => comparePositionsIn(a, b, directions[i] ?? 'asc'),
      )
      return jsonList(
        sorted.slice(0, limit).map((row) => objectOf(row.names, row.values, json)),
        meter,
        maker,
      )
    },
  }
}

/** Keeps the row with the minimum or maximum of the first argument; the first of several such rows. */
function extremeRow(isBetter: (order: number) => boolean, value: (row: Seen | undefined) => Value): Running {
  let best: { readonly position: SortPosition; readonly row: Seen } | undefined
  return {
    add: (row) => {
      const position = sortPositionOf(row.values[0] ?? null)
      if (position.class === 'empty') return
      if (best === undefined || isBetter(comparePositions(position, best.position))) best = { position, row }
    },
    value: () => value(best?.row),
  }
}

function rowObject(row: Seen | undefined, from: number, json = jsonOf): JsonText {
  return new JsonText(row === undefined ? '{}' : objectOf(row.names.slice(from), row.values.slice(from), json))
}

function firstRow(isWanted: (row: Seen) => boolean, value: (row: Seen | undefined) => Value): Running {
  let first: Seen | undefined
  return {
    add: (row) => {
      if (first === undefined && isWanted(row)) first = row
    },
    value: () => value(first),
  }
}

/** Keeps the value of one row. The row is counted from the first row, or with `isFromEnd` from the last. */
function edge({ params }: ModelCall, isFromEnd: boolean): Running {
  const offset = Number(numberOf(params[0] ?? null) ?? 0)
  const values: Value[] = []
  return {
    add: (row) => values.push(row.values[0] ?? null),
    value: () => values[isFromEnd ? values.length - 1 - offset : offset] ?? null,
  }
}

function sumLen(): Running {
  const encoder = new TextEncoder()
  let bytes = 0
  return {
    add: (row) => {
      for (const value of row.values) bytes += encoder.encode(textOf(value)).length
    },
    value: () => bytes,
  }
}

const BOUNDS = Array.from({ length: 27 * 18 + 1 }, (_, i) => 10 ** (-9 + i / 18))

function boundText(bound: number): string {
  return bound.toExponential(3).replace(/e([+-])(\d)$/, 'e$10$2')
}

/** Counts values in ranges: 18 per decade from 1e-9 to 1e18. A value on a bound belongs to the lower range. */
function histogram({ maker, meter }: ModelCall): Running {
  const hits = new Map<number, number>()
  return {
    add: (row) => {
      for (const number of row.values.map(numberOf)) {
        if (number === undefined || number < 0) continue
        const found = BOUNDS.findIndex((bound) => Number(number) <= bound)
        const index = found === -1 ? BOUNDS.length : found
        hits.set(index, (hits.get(index) ?? 0) + 1)
      }
    },
    value: () => {
      const texts = ['0', ...BOUNDS.map(boundText), '+Inf']
      const ranges = [...hits].sort(([a], [b]) => a - b)
      return jsonList(
        ranges.map(([i, count]) => JSON.stringify({ vmrange: `${texts[i]}...${texts[i + 1]}`, hits: count })),
        meter,
        maker,
      )
    },
  }
}

const isLess = (order: number): boolean => order < 0
const isGreater = (order: number): boolean => order > 0

const functions: { readonly [name: string]: ModelFunction } = {
  any: () =>
    firstRow(
      ({ values }) => !isEmpty(values[0] ?? null),
      (row) => row?.values[0] ?? null,
    ),
  avg: () => totalled(avgOf),
  count: ({ hasArgs }) => countOf(({ values }) => !hasArgs || !values.every(isEmpty)),
  count_empty: () => countOf(({ values }) => values.every(isEmpty)),
  count_uniq: countUniq,
  count_uniq_hash: countUniq,
  field_max: () => extremeRow(isGreater, (row) => row?.values[1] ?? null),
  field_min: () => extremeRow(isLess, (row) => row?.values[1] ?? null),
  first: (call) => edge(call, false),
  histogram: histogram,
  json_values: (call) => jsonValues(call),
  'json_values-as-texts': (call) => jsonValues(call, textJsonOf),
  last: (call) => edge(call, true),
  max: () => extreme(isGreater),
  median: () => quantile(0.5),
  min: () => extreme(isLess),
  'min-with-empty': () => extreme(isLess, true),
  quantile: (call) => quantile(phiOf(call)),
  'quantile-with-empty': (call) => quantile(phiOf(call), true),
  rate: ({ seconds }) =>
    countOf(
      () => true,
      (count) => count / seconds,
    ),
  rate_sum: ({ seconds }) => totalled((totals) => (seconds === 1 ? sumOf(totals) : Number(sumOf(totals)) / seconds)),
  row_any: () =>
    firstRow(
      () => true,
      (row) => rowObject(row, 0),
    ),
  'row_any-as-texts': () =>
    firstRow(
      () => true,
      (row) => rowObject(row, 0, textJsonOf),
    ),
  row_max: () => extremeRow(isGreater, (row) => rowObject(row, 1)),
  'row_max-as-texts': () => extremeRow(isGreater, (row) => rowObject(row, 1, textJsonOf)),
  row_min: () => extremeRow(isLess, (row) => rowObject(row, 1)),
  'row_min-as-texts': () => extremeRow(isLess, (row) => rowObject(row, 1, textJsonOf)),
  stddev: () => totalled(stddevOf),
  sum: () => totalled(sumOf),
  sum_len: sumLen,
  uniq_values: (call) => uniqValues(call),
  'uniq_values-as-texts': (call) => uniqValues(call, true),
  values: (call) => valueList(call),
  'values-as-texts': (call) => valueList(call, textJsonOf),
}

/**
 * The stats functions that the model implements itself. Functions that need sketches or templates use the engine's
 * code.
 */
export const modelFunctions: ReadonlyMap<string, ModelFunction> = new Map(Object.entries(functions))
