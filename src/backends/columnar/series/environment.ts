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
  /** Without it every select reads for itself. */
  readonly scans: ScanCache | undefined
  readonly observer: SeriesObserver | undefined
  /** The query, for threads that take morsels of it; none do unless given. */
  readonly morsels: MorselQuery | undefined
}

export function contextAt(environment: SeriesEnvironment, steps: Steps): SeriesContext {
  const { query, flags, budget, annotate } = environment
  return { query, steps, flags, budget, annotate }
}

/** The times a select or window really looks at: `@` first, then the offset. */
export function shiftedTimes(shift: TimeShift, steps: Steps, environment: SeriesEnvironment): Float64Array {
  const offsetMs = durationMs(shift.offset, environment.query)
  if (shift.at === undefined) return offsetMs === 0 ? steps.timesMs : steps.timesMs.map((timeMs) => timeMs - offsetMs)
  const { startMs, endMs } = environment.query
  const atMs = shift.at.kind === 'time' ? shift.at.timeMs : shift.at.kind === 'start' ? startMs : endMs
  return new Float64Array(steps.count).fill(atMs - offsetMs)
}
