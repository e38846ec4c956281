import type { Otherwise } from './questions.ts'

type Point = readonly [seconds: number, value: string]

interface Found {
  readonly metric: Readonly<Record<string, string>>
  readonly value?: Point
  readonly values?: readonly Point[]
}

/** The answer to a metric query over HTTP. */
export interface MetricAnswer {
  readonly status: string
  readonly data: { readonly result: readonly Found[] }
}

/**
 * Numbers within this relative difference count as equal, since some servers add floats in another order and some keep
 * 15 digits.
 */
const RELATIVE_TOLERANCE = 1e-9
/** Differences below this value are rounding errors of large numbers. */
const LEAST = 1e-6

export interface Leniency {
  /** True if metric names are ignored, for functions that keep the name in one server and drop it in another. */
  readonly withoutNames?: boolean
  /** Present when labels and times are compared exactly but numbers only as a sum. */
  readonly otherwise?: Otherwise | undefined
}

function keyOf({ metric }: Found, withoutNames: boolean): string {
  const labels = Object.entries(metric).filter(([name]) => !withoutNames || name !== '__name__')
  return JSON.stringify(labels.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function pointsOf({ value, values }: Found): readonly Point[] {
  return values ?? (value === undefined ? [] : [value])
}

function isNear(a: number, b: number): boolean {
  if (Object.is(a, b) || a === b) return true
  return Math.abs(a - b) <= RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b), LEAST)
}

/** Parses a number of the Prometheus HTTP API. */
function numberOf(text: string): number {
  return text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text)
}

function totalOf({ data }: MetricAnswer): { readonly points: number; readonly sum: number } {
  const numbers = data.result.flatMap((found) => pointsOf(found).map(([, value]) => numberOf(value)))
  return { points: numbers.length, sum: numbers.reduce((sum, each) => sum + each, 0) }
}

function isWithin(a: number, b: number, share: number): boolean {
  return Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b))
}

/** Returns a sentence on the difference of two answers; `undefined` when they agree. */
export function metricDifference(
  ours: MetricAnswer,
  theirs: MetricAnswer,
  { withoutNames = false, otherwise }: Leniency = {},
): string | undefined {
  if (otherwise !== undefined) {
    const [a, b] = [totalOf(ours), totalOf(theirs)]
    if (isWithin(a.points, b.points, otherwise.share) && isWithin(a.sum, b.sum, otherwise.share)) return undefined
    return `${a.points} numbers with the sum ${a.sum} against ${b.points} with ${b.sum}`
  }
  const others = new Map(theirs.data.result.map((found) => [keyOf(found, withoutNames), found]))
  if (ours.data.result.length !== theirs.data.result.length)
    return `${ours.data.result.length} series against ${theirs.data.result.length}`
  for (const found of ours.data.result) {
    const key = keyOf(found, withoutNames)
    const other = others.get(key)
    if (other === undefined) return `${key} is not there`
    const [a, b] = [pointsOf(found), pointsOf(other)]
    if (a.length !== b.length) return `${key}: ${a.length} points against ${b.length}`
    const at = a.findIndex(([time, value], i) => !isNear(time, b[i][0]) || !isNear(numberOf(value), numberOf(b[i][1])))
    if (at !== -1) return `${key}: ${JSON.stringify(a[at])} against ${JSON.stringify(b[at])}`
  }
  return undefined
}
