import type { Origin } from '../../base/index.ts'

/** A warning or info for the author of a query. It never changes the answer. */
export interface Annotation {
  readonly severity: 'warning' | 'info'
  readonly text: string
  readonly origin: Origin
}

function printNumber(value: number): string {
  return value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value)
}

/**
 * Formats a number with `digits` significant digits; by default with the fewest that identify the number. Uses an
 * exponent below 1e-4, and from 10^digits on (1e6 by default).
 */
function printGeneral(value: number, digits?: number): string {
  if (!Number.isFinite(value)) return printNumber(value)
  const [mantissa = '', exponent = ''] = value.toExponential(digits === undefined ? undefined : digits - 1).split('e')
  const significand = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa
  const power = Number(exponent)
  if (power >= -4 && power < (digits ?? 6)) return String(Number(`${significand}e${power}`))
  return `${significand}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

function printSecond(timeMs: number): string {
  return new Date(Math.trunc(timeMs / 1000) * 1000).toISOString().replace('.000Z', 'Z')
}

/**
 * Describes bucket counts of classic histograms that were raised, because they decreased from one bound to the next.
 */
export interface LiftedCounts {
  readonly minBound: number
  readonly maxBound: number
  readonly maxDifference: number
  /** Number of histograms with raised counts. A histogram is counted once for each step. */
  readonly count: number
  readonly firstMs: number
  readonly lastMs: number
}

function ofMetric(name: string): string {
  return name === '' ? '' : ` for metric name ${JSON.stringify(name)}`
}

/** Texts of warnings. `name` is the metric name; empty if it is unknown. */
export const warnings = {
  ratio: (got: number, capped: number) =>
    `ratio value should be between -1 and 1, got ${printNumber(got)}, capping to ${printNumber(capped)}`,
  quantile: (got: number) => `quantile value should be between 0 and 1, got ${printNumber(got)}`,
  bucketLabel: (value: string, name: string) =>
    `bucket label "le" is missing or has a malformed value of ${JSON.stringify(value)}${ofMetric(name)}`,
  mixedRange: (name: string) => `encountered a mix of histograms and floats for metric name ${JSON.stringify(name)}`,
  mixedAggregation: () => 'encountered a mix of histograms and floats for aggregation',
  classicAndNative: (name: string) => `vector contains a mix of classic and native histograms${ofMetric(name)}`,
  notCounter: (name: string) => `this native histogram metric is not a counter: ${JSON.stringify(name)}`,
  notGauge: (name: string) => `this native histogram metric is not a gauge: ${JSON.stringify(name)}`,
  mixedSchemas: (name: string) =>
    `vector contains a mix of histograms with exponential and custom buckets schemas${ofMetric(name)}`,
  mixedSchemasAggregation: () =>
    'vector contains a mix of histograms with exponential and custom buckets schemas for aggregation',
  incompatibleLayout: (op: string) => `incompatible bucket layout encountered for binary operator ${op}`,
  sortInRange: () => 'sort is ineffective for range queries since results are always ordered by labels',
  resetCollision: (during: string) => `conflicting counter resets during histogram ${during}`,
  overlappingStart: (name: string) =>
    `sample has start time that overlaps with previous sample timestamp for metric ${JSON.stringify(name)}`,
} as const

/** Texts of infos, which require no action. */
export const infos = {
  maybeNotCounter: (name: string) =>
    `metric might not be a counter, name does not end in _total/_sum/_count/_bucket: ${JSON.stringify(name)}`,
  maybeNotCounterType: (name: string) =>
    `metric might not be a counter, __type__ label is not set to "counter" or "histogram": ${JSON.stringify(name)}`,
  forcedMonotonicity: (name: string, lifted: LiftedCounts) =>
    `input to histogram_quantile needed to be fixed for monotonicity (see https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile)${ofMetric(name)}, from buckets ${printGeneral(lifted.minBound)} to ${printGeneral(lifted.maxBound)}, with a max diff of ${printGeneral(lifted.maxDifference, 2)}, over ${lifted.count} samples from ${printSecond(lifted.firstMs)} to ${printSecond(lifted.lastMs)}`,
  incompatibleTypes: (lhs: string, op: string, rhs: string) =>
    `incompatible sample types encountered for binary operator ${JSON.stringify(op)}: ${lhs} ${op} ${rhs}`,
  ignoredInAggregation: (op: string) => `ignored histogram in ${op} aggregation`,
  ignoredInRange: (name: string) =>
    `ignored histograms in a range containing both floats and histograms${ofMetric(name)}`,
  nanResult: (name: string) => `input to histogram_quantile has NaN observations, result is NaN${ofMetric(name)}`,
  nanSkew: (name: string) =>
    `input to histogram_quantile has NaN observations, result is skewed higher${ofMetric(name)}`,
  nanFraction: (name: string) =>
    `input to histogram_fraction has NaN observations, which are excluded from all fractions${ofMetric(name)}`,
  reconciledBounds: (during: string) => `mismatched custom buckets were reconciled during ${during}`,
} as const
