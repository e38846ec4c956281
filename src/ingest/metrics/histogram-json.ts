import { CUSTOM_SCHEMA, NO_BUCKETS, type BucketList, type Histogram, type ResetHint } from '../../data/index.ts'
import { LineFault } from './exposition-scanner.ts'

export type HistogramValueJson =
  | null
  | boolean
  | number
  | string
  | readonly HistogramValueJson[]
  | { readonly [name: string]: HistogramValueJson }

export function isObject(
  value: HistogramValueJson | undefined,
): value is { readonly [name: string]: HistogramValueJson } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const HINTS: readonly ResetHint[] = ['unknown', 'reset', 'not-reset', 'gauge']
const SCHEMAS: readonly number[] = [CUSTOM_SCHEMA, ...Array.from({ length: 13 }, (_, i) => i - 4)]

/** Reads buckets as pairs of index and count. */
function bucketsOf(
  value: HistogramValueJson | undefined,
  numberOf: (value: HistogramValueJson | undefined) => number,
): BucketList {
  if (value === undefined) return NO_BUCKETS
  if (!Array.isArray(value)) throw new LineFault('buckets must be a list of `[index, count]`')
  const list = { indexes: [] as number[], counts: [] as number[] }
  let before = -Infinity
  for (const pair of value as readonly HistogramValueJson[]) {
    const [index, count] = Array.isArray(pair) ? (pair as readonly HistogramValueJson[]) : []
    if (typeof index !== 'number' || !Number.isSafeInteger(index) || index <= before)
      throw new LineFault('buckets must be a list of `[index, count]`, by ascending index')
    before = index
    list.indexes.push(index)
    list.counts.push(numberOf(count))
  }
  return list
}

/** Reads a native histogram in the form of `histogramJson`; `numberOf` reads a number. Throws `LineFault`. */
export function histogramOf(
  value: HistogramValueJson,
  numberOf: (value: HistogramValueJson | undefined) => number,
): Histogram {
  if (!isObject(value)) throw new LineFault('a histogram must be an object')
  const { schema, bounds = [], hint = 'unknown', zeroThreshold = 0, zeroCount = 0 } = value
  if (!SCHEMAS.some((known) => known === schema)) throw new LineFault('a histogram has a schema from -4 to 8, or -53')
  const knownHint = HINTS.find((known) => known === hint)
  if (knownHint === undefined) throw new LineFault(`the hint of a histogram is one of ${HINTS.join(', ')}`)
  if (!Array.isArray(bounds)) throw new LineFault('the bounds of a histogram must be a list')
  return {
    schema: Number(schema),
    count: numberOf(value['count']),
    sum: numberOf(value['sum']),
    zeroThreshold: numberOf(zeroThreshold),
    zeroCount: numberOf(zeroCount),
    positive: bucketsOf(value['positive'], numberOf),
    negative: bucketsOf(value['negative'], numberOf),
    bounds: (bounds as readonly HistogramValueJson[]).map(numberOf),
    hint: knownHint,
  }
}

/** Returns a number as JSON. Numbers that JSON cannot express become strings; zero keeps its sign. */
export function numberJson(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value)
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"+Inf"' : '"-Inf"'
}

function bucketsJson({ indexes, counts }: BucketList): string {
  return `[${indexes.map((index, i) => `[${index},${numberJson(counts[i] ?? 0)}]`).join(',')}]`
}

/** Returns a native histogram as JSON; `null` when there is none. */
export function histogramJson(histogram: Histogram | undefined): string {
  if (histogram === undefined) return 'null'
  const { schema, count, sum, zeroThreshold, zeroCount, positive, negative, bounds, hint } = histogram
  const members = {
    schema: String(schema),
    count: numberJson(count),
    sum: numberJson(sum),
    zeroThreshold: numberJson(zeroThreshold),
    zeroCount: numberJson(zeroCount),
    positive: bucketsJson(positive),
    negative: bucketsJson(negative),
    bounds: `[${bounds.map(numberJson).join(',')}]`,
    hint: `"${hint}"`,
  }
  return `{${Object.entries(members)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`
}
