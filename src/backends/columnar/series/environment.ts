import { SluiceError, type Origin } from '../../../base/index.ts'
import {
  seriesDiagnostic,
  failSeries,
  type Annotation,
  type QueryTimes,
  type SeriesBudget,
  type SeriesContext,
  type SeriesFlags,
  type Steps,
} from '../../../functions/series/index.ts'
import { evaluateFormula, type SeriesDuration, type TimeShift } from '../../../plan/series/index.ts'
import type { SampleSource } from '../../../store/samples/index.ts'
import type { PiecesOfQuery } from '../shared-pieces.ts'
import type { SeriesObserver } from './observer.ts'
import type { ScanCache } from './scan-cache.ts'

/** All that one evaluation works with. */
export interface SeriesEnvironment {
  readonly source: SampleSource
  readonly query: QueryTimes
  readonly flags: SeriesFlags
  /** How old the newest sample of a series may be. */
  readonly lookbackMs: number
  /** Step of subqueries that name none. */
  readonly defaultStepMs: number
  readonly budget: SeriesBudget
  readonly annotate: (annotation: Annotation) => void
  /** Lets other work of the process run; called between operators. */
  readonly pause: () => Promise<void>
  /** Without it every select reads for itself. */
  readonly scans: ScanCache | undefined
  readonly observer: SeriesObserver | undefined
  /** Threads that may help; none unless given. */
  readonly sharing: PiecesOfQuery | undefined
}

export function contextAt(environment: SeriesEnvironment, steps: Steps): SeriesContext {
  const { query, flags, budget, annotate } = environment
  return { query, steps, flags, budget, annotate }
}

const MAX_MS = 2 ** 63 / 1e6

/** Whole milliseconds. Throws `series/bad-duration` when the query's own step or range make no length of time. */
export function durationMs(duration: SeriesDuration, environment: SeriesEnvironment, origin: Origin): number {
  if (duration.kind === 'fixed') return duration.ms
  const { startMs, endMs, stepMs } = environment.query
  const extent = { stepSeconds: stepMs / 1000, rangeSeconds: (endMs - startMs) / 1000 }
  const ms = Math.trunc(evaluateFormula(duration.formula, extent) * 1000)
  if (!(Math.abs(ms) < MAX_MS)) {
    failSeries('bad-duration', { text: 'duration out of range' }, origin)
  }
  return ms
}

/** A duration that must be above zero, such as a range or a step. */
export function positiveMs(duration: SeriesDuration, environment: SeriesEnvironment, origin: Origin): number {
  const ms = durationMs(duration, environment, origin)
  if (ms <= 0) {
    throw new SluiceError([seriesDiagnostic('bad-duration', { text: 'duration must be greater than 0' }, origin)])
  }
  return ms
}

/** The times a select or window really looks at: `@` first, then the offset. */
export function shiftedTimes(
  shift: TimeShift,
  steps: Steps,
  environment: SeriesEnvironment,
  origin: Origin,
): Float64Array {
  const offsetMs = durationMs(shift.offset, environment, origin)
  if (shift.at === undefined) return offsetMs === 0 ? steps.timesMs : steps.timesMs.map((timeMs) => timeMs - offsetMs)
  const { startMs, endMs } = environment.query
  const atMs = shift.at.kind === 'time' ? shift.at.timeMs : shift.at.kind === 'start' ? startMs : endMs
  return new Float64Array(steps.count).fill(atMs - offsetMs)
}
