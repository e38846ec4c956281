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
  /** Source of log rows; present for queries that count logs. */
  readonly logs: LogRows | undefined
  readonly query: QueryTimes
  readonly flags: SeriesFlags
  /** The look-back period in milliseconds: the newest sample of a series counts as its current value for this long. */
  readonly lookbackMs: number
  /** Step of subqueries that specify none, milliseconds. */
  readonly defaultStepMs: number
  readonly budget: SeriesBudget
  readonly annotate: (annotation: Annotation) => void
  /** Cache through which equal selects share samples; without it every select reads its own samples. */
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
 * Returns the times at which a select or window reads samples: the evaluation times, changed by the `@` modifier and
 * then by the offset.
 */
export function shiftedTimes(shift: TimeShift, steps: Steps, environment: SeriesEnvironment): Float64Array {
  const offsetMs = durationMs(shift.offset, environment.query)
  if (shift.at === undefined) return offsetMs === 0 ? steps.timesMs : steps.timesMs.map((timeMs) => timeMs - offsetMs)
  const { startMs, endMs } = environment.query
  const atMs = shift.at.kind === 'time' ? shift.at.timeMs : shift.at.kind === 'start' ? startMs : endMs
  return new Float64Array(steps.count).fill(atMs - offsetMs)
}
