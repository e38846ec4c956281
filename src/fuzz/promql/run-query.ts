import { Budget, present, SluiceError } from '../../base/index.ts'
import { histogramJson, type SeriesAnswer } from '../../backends/columnar/series/index.ts'
import type { Histogram } from '../../data/index.ts'
import { queryPromql, queryPromqlRange, type PromqlOptions } from '../../engine/metrics/index.ts'
import type { SampleSource } from '../../store/index.ts'

/** The value of one series at one time. */
export type FuzzValue = number | Histogram | string

/** An answer as values by series and time, or the code of its error. */
export type FuzzAnswer =
  | { readonly values: ReadonlyMap<string, FuzzValue>; readonly notes: readonly string[] }
  | { readonly error: string; readonly message: string }

const limits = { memoryBytes: 2 ** 28, timeoutMs: 60_000, scanRows: Number.MAX_SAFE_INTEGER }

function valuesOf(answer: SeriesAnswer): ReadonlyMap<string, FuzzValue> {
  const values = new Map<string, FuzzValue>()
  switch (answer.type) {
    case 'scalar':
    case 'string':
      values.set(`{} ${answer.timeMs}`, answer.value)
      break
    case 'vector':
      for (const { labels, value, histogram } of answer.samples)
        values.set(`${String(labels)} ${answer.timeMs}`, histogram ?? value)
      break
    case 'matrix':
      for (const { labels, timesMs, values: column, histograms } of answer.series) {
        const name = String(labels)
        for (const [i, timeMs] of timesMs.entries())
          values.set(`${name} ${timeMs}`, histograms?.[i] ?? present(column[i]))
      }
  }
  return values
}

export interface QueryTimes {
  readonly startMs: number
  readonly endMs: number
  /** The step in milliseconds; 0 means an instant query. */
  readonly stepMs: number
}

/** Runs a PromQL text. A `SluiceError` is an answer; any other error is a bug of Sluice and is thrown again. */
export async function runQuery(
  text: string,
  times: QueryTimes,
  source: SampleSource,
  more: Partial<PromqlOptions> = {},
): Promise<FuzzAnswer> {
  const options: PromqlOptions = { source, budget: new Budget(limits, () => 0), ...more }
  try {
    const { answer, warnings, infos } =
      times.stepMs === 0
        ? await queryPromql(text, times.startMs, options)
        : await queryPromqlRange(text, times, options)
    return { values: valuesOf(answer), notes: [...warnings, ...infos].toSorted() }
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return { error: error.code, message: error.message }
  }
}

function shown(value: FuzzValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'object') return `${histogramJson(value)} ${value.hint}`
  return Object.is(value, -0) ? '-0' : String(value)
}

export type SameValue = (a: FuzzValue, b: FuzzValue) => boolean

/** Compares two values bit by bit; NaN equals NaN. */
export const isIdentical: SameValue = (a, b) =>
  Object.is(a, b) || (typeof a === 'object' && typeof b === 'object' && shown(a) === shown(b))

function isNear(a: number, b: number): boolean {
  return Object.is(a, b) || a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1)
}

/** Compares two values up to the rounding error of sums in another order. */
export const isClose: SameValue = (a, b) => {
  if (typeof a === 'number' && typeof b === 'number') return isNear(a, b)
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  const flat = (h: Histogram): readonly number[] => [
    h.schema,
    h.count,
    h.sum,
    h.zeroThreshold,
    h.zeroCount,
    ...h.positive.indexes,
    ...h.positive.counts,
    ...h.negative.indexes,
    ...h.negative.counts,
    ...h.bounds,
  ]
  const [x, y] = [flat(a), flat(b)]
  return x.length === y.length && x.every((value, i) => isNear(value, present(y[i])))
}

/** Returns a sentence on the first difference between two sets of values, or `undefined` when there is none. */
export function firstDifference(
  a: ReadonlyMap<string, FuzzValue>,
  b: ReadonlyMap<string, FuzzValue>,
  isSame: SameValue,
): string | undefined {
  for (const [key, value] of a) {
    const other = b.get(key)
    if (other === undefined || !isSame(value, other)) return `${key}: ${shown(value)} and ${shown(other)}`
  }
  for (const [key, value] of b) if (!a.has(key)) return `${key}: nothing and ${shown(value)}`
  return undefined
}
