import type {
  Annotation,
  QueryTimes,
  SeriesBudget,
  SeriesContext,
  SeriesFlags,
  Steps,
} from '../../../functions/series/index.ts'
import type { TimeShift } from '../../../plan/series/index.ts'
import type { SampleSource } from '../../../store/samples/index.ts'
import type { MorselQuery } from '../morsels/scheduler.ts'
import { durationMs } from './durations.ts'
import type { SeriesObserver } from './observer.ts'
import type { ScanCache } from './scan-cache.ts'

/** Everything that one evaluation needs. */
export interface SeriesEnvironment {
  readonly source: SampleSource
  readonly query: QueryTimes
  readonly flags: SeriesFlags
  /** The look-back period in milliseconds: the largest age of a series' newest sample. */
  readonly lookbackMs: number
  /** The step of subqueries without one, in milliseconds. */
  readonly defaultStepMs: number
  readonly budget: SeriesBudget
  readonly annotate: (annotation: Annotation) => void
  /** Without it every select reads separately. */
  readonly scans: ScanCache | undefined
  readonly observer: SeriesObserver | undefined
  /** The query for threads that compute its morsels; none by default. */
  readonly morsels: MorselQuery | undefined
}

export function contextAt(environment: SeriesEnvironment, steps: Steps): SeriesContext {
  const { query, flags, budget, annotate } = environment
  return { query, steps, flags, budget, annotate }
}

/** Returns the times that a select or window really reads: first `@`, then the offset. */
export function shiftedTimes(shift: TimeShift, steps: Steps, environment: SeriesEnvironment): Float64Array {
  const offsetMs = durationMs(shift.offset, environment.query)
  if (shift.at === undefined) return offsetMs === 0 ? steps.timesMs : steps.timesMs.map((timeMs) => timeMs - offsetMs)
  const { startMs, endMs } = environment.query
  const atMs = shift.at.kind === 'time' ? shift.at.timeMs : shift.at.kind === 'start' ? startMs : endMs
  return new Float64Array(steps.count).fill(atMs - offsetMs)
}
