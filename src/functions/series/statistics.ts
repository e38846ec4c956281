import { kahanStep, type KahanSum } from '../../data/index.ts'
import { warnings } from './annotation.ts'
import type { SeriesFunction, WindowSeries } from './definition.ts'
import { failSeries } from './diagnostics.ts'
import { LineSums, type Line } from './line-sums.ts'
import { quantileOfSorted, SortedWindow } from './quantile.ts'
import { annotateWarning, floatKernel, floatRangeFunction, rangeFunction, type RangeCall } from './range-function.ts'
import { scalarArg } from './values.ts'

/** Returns the population variance, by Welford's method with compensated sums. */
function varianceOf(values: Float64Array, from: number, to: number): number {
  const mean: KahanSum = { sum: 0, compensation: 0 }
  const spread: KahanSum = { sum: 0, compensation: 0 }
  let count = 0
  for (let i = from; i < to; i++) {
    const value = values[i]
    count++
    const delta = value - (mean.sum + mean.compensation)
    kahanStep(mean, delta / count)
    kahanStep(spread, delta * (value - (mean.sum + mean.compensation)))
  }
  return (spread.sum + spread.compensation) / count
}

/** Fits a least-squares line to the samples `[from, to)`. Its x axis is in seconds from `originMs`. */
function fitLine(series: WindowSeries, from: number, to: number, originMs: number): Line {
  const { values, timesMs } = series
  const x: KahanSum = { sum: 0, compensation: 0 }
  const y: KahanSum = { sum: 0, compensation: 0 }
  const xy: KahanSum = { sum: 0, compensation: 0 }
  const xx: KahanSum = { sum: 0, compensation: 0 }
  const first = values[from]
  let isConstant = true
  for (let i = from; i < to; i++) {
    const value = values[i]
    if (value !== first) isConstant = false
    const seconds = (timesMs[i] - originMs) / 1000
    kahanStep(x, seconds)
    kahanStep(y, value)
    kahanStep(xy, seconds * value)
    kahanStep(xx, seconds * seconds)
  }
  if (isConstant) {
    return Number.isFinite(first) ? { slope: 0, intercept: first } : { slope: NaN, intercept: NaN }
  }
  const count = to - from
  const sumX = x.sum + x.compensation
  const sumY = y.sum + y.compensation
  const covariance = xy.sum + xy.compensation - (sumX * sumY) / count
  const variance = xx.sum + xx.compensation - (sumX * sumX) / count
  const slope = covariance / variance
  return { slope, intercept: sumY / count - (slope * sumX) / count }
}

/** Returns a function that fits lines to windows of a series. */
function lines(series: WindowSeries, { budget }: RangeCall): (from: number, to: number, originMs: number) => Line {
  const sums = LineSums.of(series, budget)
  if (sums === undefined) return (from, to, originMs) => fitLine(series, from, to, originMs)
  return (from, to, originMs) => sums.fit(from, to, originMs) ?? fitLine(series, from, to, originMs)
}

/** Formats a number with six decimals and no exponent. */
function fixedText(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  // From 1e21 on, `toFixed` uses an exponent; such doubles are integers.
  return Math.abs(value) < 1e21 ? value.toFixed(6) : `${BigInt(value)}.000000`
}

/** Throws if a factor is outside (0, 1) at a step whose window has samples. Accepts NaN. */
function checkFactor(
  name: string,
  symbol: string,
  factors: Float64Array,
  { from, to }: WindowSeries,
  call: RangeCall,
): void {
  for (let step = 0; step < factors.length; step++) {
    const factor = factors[step]
    if (to[step] === from[step] || !(factor <= 0 || factor >= 1)) continue
    const text = `invalid ${name} factor. Expected: 0 < ${symbol} < 1, got: ${fixedText(factor)}`
    failSeries('bad-parameter', { text }, call.origin)
  }
}

const smoothWindows = floatKernel(({ values }, call) => {
  const smoothing = scalarArg(call.args, 1)
  const trend = scalarArg(call.args, 2)
  return (from, to, step) => {
    const sf = smoothing[step]
    const tf = trend[step]
    let before = 0
    let smooth = values[from]
    let slope = values[from + 1] - values[from]
    for (let i = from + 1; i < to; i++) {
      if (i > from + 1) slope = tf * (smooth - before) + (1 - tf) * slope
      const next = sf * values[i] + (1 - sf) * (smooth + slope)
      before = smooth
      smooth = next
    }
    return smooth
  }
}, 2)

const doubleExponentialSmoothing = rangeFunction(
  'double_exponential_smoothing',
  (series, out, call) => {
    checkFactor('smoothing', 'sf', scalarArg(call.args, 1), series, call)
    checkFactor('trend', 'tf', scalarArg(call.args, 2), series, call)
    smoothWindows(series, out, call)
  },
  { properties: { checksParameters: true } },
)

export const statisticsFunctions: readonly SeriesFunction[] = [
  floatRangeFunction(
    'stdvar_over_time',
    ({ values }) =>
      (from, to) =>
        varianceOf(values, from, to),
  ),
  floatRangeFunction(
    'stddev_over_time',
    ({ values }) =>
      (from, to) =>
        Math.sqrt(varianceOf(values, from, to)),
  ),
  floatRangeFunction('quantile_over_time', ({ values }, call) => {
    const quantile = scalarArg(call.args, 0)
    const window = new SortedWindow(values)
    return (from, to, step) => {
      const q = quantile[step]
      if (!(q >= 0 && q <= 1)) annotateQuantile(call, q)
      window.moveTo(from, to)
      return quantileOfSorted(q, window.sorted, window.size)
    }
  }),
  floatRangeFunction('mad_over_time', ({ values }) => {
    const window = new SortedWindow(values)
    return (from, to) => {
      window.moveTo(from, to)
      const median = quantileOfSorted(0.5, window.sorted, window.size)
      const deviations = values.slice(from, to).map((value) => Math.abs(value - median))
      deviations.sort()
      // NaN if any deviation is NaN: `Float64Array` sorts NaN last.
      return Number.isNaN(deviations.at(-1)) ? NaN : quantileOfSorted(0.5, deviations, deviations.length)
    }
  }),
  floatRangeFunction(
    'deriv',
    (series, call) => {
      const line = lines(series, call)
      return (from, to) => line(from, to, series.timesMs[from]).slope
    },
    2,
  ),
  floatRangeFunction(
    'predict_linear',
    (series, call) => {
      const ahead = scalarArg(call.args, 1)
      const line = lines(series, call)
      return (from, to, step) => {
        const { slope, intercept } = line(from, to, call.steps.timesMs[step])
        return slope * ahead[step] + intercept
      }
    },
    2,
    { dependsOnTime: true },
  ),
  doubleExponentialSmoothing,
]

function annotateQuantile(call: Parameters<typeof annotateWarning>[0], q: number): void {
  call.annotate({ severity: 'warning', text: warnings.quantile(q), origin: call.argPlans[0].origin })
}
