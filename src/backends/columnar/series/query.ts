import { nowhere, type Budget } from '../../../base/index.ts'
import { Labels } from '../../../data/index.ts'
import { failSeries, type Annotation, type SeriesBudget, type SeriesFlags } from '../../../functions/series/index.ts'
import { seriesType, type SeriesPlan } from '../../../plan/series/index.ts'
import type { SampleSource } from '../../../store/samples/index.ts'
import type { Parallelism } from '../morsels/parallelism.ts'
import { QueryEnd } from '../query-end.ts'
import { AnnotationList, instantAnswer, rangeAnswer, type SeriesAnswer } from './answer.ts'
import { checkDurations } from './durations.ts'
import { SeriesEvaluator } from './evaluator.ts'
import type { LogRows } from './log-rows.ts'
import type { SeriesObserver } from './observer.ts'
import { ScanCache } from './scan-cache.ts'
import { countPoints, stepsOf, type SeriesTimes } from './steps.ts'

export interface SeriesQueryOptions {
  readonly source: SampleSource
  /** Source of log rows, for queries that count logs. */
  readonly logs?: LogRows | undefined
  readonly times: SeriesTimes
  readonly isInstant: boolean
  readonly flags: SeriesFlags
  readonly lookbackMs: number
  readonly defaultStepMs: number
  readonly budget: SeriesBudget
  /** True if selects with equal selectors and guards (conditions that hide series) read their samples only once. */
  readonly sharesScans?: boolean | undefined
  readonly observer?: SeriesObserver | undefined
  /** The threads that compute morsels of long calls, and the budget that limits them; none by default. */
  readonly sharing?: { readonly parallelism: Parallelism; readonly budget: Budget } | undefined
}

export const DEFAULT_FLAGS: SeriesFlags = {
  isNameRemovalDelayed: true,
  usesStartTimes: true,
  hasTypeAndUnitLabels: false,
}

/** The default values of Prometheus' feature flags. */
export const STABLE_FLAGS: SeriesFlags = {
  isNameRemovalDelayed: false,
  usesStartTimes: false,
  hasTypeAndUnitLabels: false,
}

export const DEFAULT_LOOKBACK_MS = 300_000
export const DEFAULT_SUBQUERY_STEP_MS = 60_000
/** Maximum number of points of a range query: the start, and 11,000 further steps. */
export const MAX_POINTS = 11_001

export interface SeriesResult {
  readonly answer: SeriesAnswer
  readonly annotations: readonly Annotation[]
}

function checkTimes(plan: SeriesPlan, times: SeriesTimes): void {
  const { startMs, endMs, stepMs } = times
  const type = seriesType(plan)
  if (type !== 'scalar' && type !== 'vector') {
    const name = type === 'matrix' ? 'range vector' : type
    failSeries('bad-range-type', { type: name }, plan.origin)
  }
  if (endMs < startMs) failSeries('bad-ends', undefined, nowhere)
  if (!(stepMs > 0)) failSeries('bad-step', undefined, nowhere)
  if (countPoints(times) > MAX_POINTS) failSeries('too-many-steps', undefined, nowhere)
}

/**
 * Runs a metric query and returns its answer. Throws a SluiceError if the query cannot be answered or the budget is
 * exhausted.
 */
export async function runSeriesQuery(plan: SeriesPlan, options: SeriesQueryOptions): Promise<SeriesResult> {
  const { times, isInstant } = options
  if (!isInstant) checkTimes(plan, times)
  const query = isInstant ? { startMs: times.startMs, endMs: times.startMs, stepMs: 0 } : times
  checkDurations(plan, query)
  const steps = stepsOf(query)
  const annotations = new AnnotationList()
  const end = new QueryEnd()
  const evaluator = new SeriesEvaluator(plan, {
    source: options.source,
    logs: options.logs,
    query,
    flags: options.flags,
    lookbackMs: options.lookbackMs,
    defaultStepMs: options.defaultStepMs,
    budget: options.budget,
    annotate: (annotation) => annotations.add(annotation),
    scans: options.sharesScans === true ? new ScanCache(plan) : undefined,
    observer: options.observer,
    morsels: options.sharing && { ...options.sharing, end },
  })
  const value = await evaluator.evaluate(plan, steps).finally(() => end.run())
  const answer = isInstant ? instantAnswer(value, query.startMs) : rangeAnswer(value, steps, Labels.empty)
  return { answer, annotations: annotations.annotations }
}
