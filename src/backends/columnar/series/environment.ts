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
import type { LogRows } from './log-rows.ts'
import type { SeriesObserver } from './observer.ts'
import type { ScanCache } from './scan-cache.ts'

/** The data source, limits and settings of one metric query. */
export interface SeriesEnvironment {
  readonly source: SampleSource
  /** The rows of logs, for queries that count them. */
  readonly logs: LogRows | undefined
  readonly query: QueryTimes
  readonly flags: SeriesFlags
  /** The look-back period in milliseconds: a sample older than this is no longer the current value of its series. */
  readonly lookbackMs: number
  /** The step in milliseconds of subqueries that specify none. */
  readonly defaultStepMs: number
  readonly budget: SeriesBudget
  readonly annotate: (annotation: Annotation) => void
  /** The cache of samples that several selects share; without it every select reads its own. */
  readonly scans: ScanCache | undefined
  readonly observer: SeriesObserver | undefined
  /** The query for which other threads may compute morsels; `undefined` if none may. */
  readonly morsels: MorselQuery | undefined
}

export function contextAt(environment: SeriesEnvironment, steps: Steps): SeriesContext {
  const { query, flags, budget, annotate } = environment
  return { query, steps, flags, budget, annotate }
}

/**
 * Returns the times at which a select or window reads samples: the evaluation times after the `@` modifier and then the
 * offset are applied.
 */
export function shiftedTimes(shift: TimeShift, steps: Steps, environment: SeriesEnvironment): Float64Array {
  const offsetMs = durationMs(shift.offset, environment.query)
  if (shift.at === undefined) return offsetMs === 0 ? steps.timesMs : steps.timesMs.map((timeMs) => timeMs - offsetMs)
  const { startMs, endMs } = environment.query
  const atMs = shift.at.kind === 'time' ? shift.at.timeMs : shift.at.kind === 'start' ? startMs : endMs
  return new Float64Array(steps.count).fill(atMs - offsetMs)
}
