import { INT64_END } from '../../../base/index.ts'
import { failSeries } from '../../../functions/series/index.ts'
import { evaluateFormula, seriesInputs, type SeriesDuration, type SeriesPlan } from '../../../plan/series/index.ts'
import type { SeriesTimes } from './steps.ts'

/** The largest allowed duration in milliseconds, which is 2^63 nanoseconds. */
const MAX_MS = INT64_END / 1e6

/**
 * Returns a duration of the plan in whole milliseconds. Throws `series/bad-duration` if it depends on the query's step
 * or range and is invalid for these values.
 */
export function durationMs(duration: SeriesDuration, { startMs, endMs, stepMs }: SeriesTimes): number {
  if (duration.kind === 'fixed') return duration.ms
  const { formula, origin } = duration
  const extent = { stepSeconds: stepMs / 1000, rangeSeconds: (endMs - startMs) / 1000 }
  const seconds = evaluateFormula(formula, extent, (operation, where) =>
    failSeries('bad-duration', { text: `${operation} by zero` }, where),
  )
  const ms = Math.trunc(seconds * 1000)
  if (!(Math.abs(ms) < MAX_MS)) failSeries('bad-duration', { text: 'duration is out of range' }, origin)
  return ms
}

/** Like `durationMs`, for ranges and steps, which must be at least one millisecond. */
export function positiveMs(duration: SeriesDuration, times: SeriesTimes): number {
  const ms = durationMs(duration, times)
  if (duration.kind === 'computed' && ms <= 0) {
    failSeries('bad-duration', { text: 'duration must be greater than 0' }, duration.origin)
  }
  return ms
}

/**
 * Checks all durations of a plan, including those in nodes that will not run. Throws `series/bad-duration` for the
 * first invalid one.
 */
export function checkDurations(plan: SeriesPlan, times: SeriesTimes): void {
  if (plan.kind === 'series-range') positiveMs(plan.range, times)
  if (plan.kind === 'series-select' || plan.kind === 'series-subquery') durationMs(plan.shift.offset, times)
  if (plan.kind === 'series-subquery') {
    if (plan.step !== undefined) positiveMs(plan.step, times)
    positiveMs(plan.range, times)
  }
  for (const input of seriesInputs(plan)) checkDurations(input, times)
}
