import { hasMember, checkArgument, SluiceError, nowhere, type Budget } from '../../base/index.ts'
import type { Parallelism } from '../../backends/columnar/index.ts'
import {
  DEFAULT_FLAGS,
  DEFAULT_LOOKBACK_MS,
  DEFAULT_SUBQUERY_STEP_MS,
  answerJson,
  renderAnnotation,
  runSeriesQuery,
  type LogRows,
  type SeriesAnswer,
  type SeriesObserver,
  type SeriesTimes,
} from '../../backends/columnar/series/index.ts'
import { failSeries, type SeriesBudget, type SeriesFlags } from '../../functions/series/index.ts'
import {
  lowerPromql,
  parsePromqlOrThrow,
  promqlPosition,
  renderPromqlError,
  type Parameters,
  type PromqlFeatures,
} from '../../lang/promql/index.ts'
import { optimizeSeries, type OptimizeSeriesOptions } from '../../optimize/series/index.ts'
import { mapSeriesSelects, type LabelPredicate, type SeriesPlan } from '../../plan/series/index.ts'
import { verifySeriesScope } from '../../policy/index.ts'
import type { SampleSource } from '../../store/samples/index.ts'

/** Maximum number of samples that one query may read or compute. */
export const DEFAULT_LIMIT_SAMPLES = 50_000_000

export interface PromqlOptions {
  readonly source: SampleSource
  /** Source of log rows, for plans that aggregate log rows. */
  readonly logs?: LogRows | undefined
  /** Limits of memory and time, and the cancel flag. */
  readonly budget: Budget
  /** The caller's guard, applied to every selector. */
  readonly guard?: LabelPredicate | undefined
  /** Values of the parameters, written `$name` in the text. */
  readonly parameters?: Parameters | undefined
  readonly features?: Partial<PromqlFeatures> | undefined
  readonly flags?: Partial<SeriesFlags> | undefined
  readonly lookbackMs?: number | undefined
  /** Step of subqueries that specify none, ms. */
  readonly defaultStepMs?: number | undefined
  readonly limitSamples?: number | undefined
  /** Names of optimizer rules to skip (`*` for all), and an observer that is called after each step. */
  readonly optimizer?: Pick<OptimizeSeriesOptions, 'disabled' | 'observe'> | undefined
  /** Threads that can compute parts of long calls. Default: none. */
  readonly parallelism?: Parallelism | undefined
  /** Receives the measurements of each node. */
  readonly observer?: SeriesObserver | undefined
}

/** The answer of a metric query, with its warnings and infos. */
export interface PromqlResult {
  readonly answer: SeriesAnswer
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
  /** Statistics of the query, if requested. */
  readonly stats?: object | undefined
}

function seriesBudget(budget: Budget, limit: number): SeriesBudget {
  let used = 0
  return {
    charge: (bytes) => budget.charge(bytes),
    samples: (count) => {
      used += count
      if (used > limit) failSeries('too-many-samples', { limit }, nowhere)
    },
    checkpoint: () => budget.checkpoint(),
    reads: budget.reads,
  }
}

/** Applies the guard to every selector of a plan and then optimizes the plan. */
export function prepareSeriesPlan(plan: SeriesPlan, options: Pick<PromqlOptions, 'guard' | 'optimizer'>): SeriesPlan {
  const { guard, optimizer } = options
  const guarded = guard === undefined ? plan : mapSeriesSelects(plan, (select) => ({ ...select, guard }))
  return optimizeSeries(guarded, optimizer)
}

/** Runs a prepared plan. Positions in its notes refer to `text`. */
export async function runPrepared(
  plan: SeriesPlan,
  text: string | undefined,
  times: SeriesTimes,
  options: PromqlOptions,
): Promise<PromqlResult> {
  // The final plan is checked, to detect an optimizer rule that loses a guard.
  if (options.guard !== undefined) verifySeriesScope(plan, options.guard)
  const { answer, annotations } = await runSeriesQuery(plan, {
    source: options.source,
    logs: options.logs,
    times,
    sharesScans: options.optimizer?.disabled?.includes('*') !== true,
    observer: options.observer,
    sharing: options.parallelism && { parallelism: options.parallelism, budget: options.budget },
    isInstant: times.stepMs === 0,
    flags: { ...DEFAULT_FLAGS, ...options.flags },
    lookbackMs: options.lookbackMs ?? DEFAULT_LOOKBACK_MS,
    defaultStepMs: options.defaultStepMs ?? DEFAULT_SUBQUERY_STEP_MS,
    budget: seriesBudget(options.budget, options.limitSamples ?? DEFAULT_LIMIT_SAMPLES),
  })
  const notes = (severity: 'warning' | 'info'): readonly string[] =>
    annotations
      .filter((annotation) => annotation.severity === severity)
      .map((annotation) => renderAnnotation(annotation, text))
  return { answer, warnings: notes('warning'), infos: notes('info') }
}

async function run(plan: SeriesPlan, text: string | undefined, times: SeriesTimes, options: PromqlOptions) {
  return runPrepared(prepareSeriesPlan(plan, options), text, times, options)
}

/**
 * Cache of the plans of recent texts without parameters, because dashboards and alerts repeat their texts. Plans are
 * immutable.
 */
const knownPlans = new Map<string, SeriesPlan>()
const MOST_PLANS = 128
const MOST_CHARS = 512

/** Returns the plan of a text, before the guard and the optimizer. Throws `SluiceError`. */
export function compilePromql(text: string, options: Pick<PromqlOptions, 'features' | 'parameters'>): SeriesPlan {
  const { features, parameters } = options
  if (features !== undefined || parameters !== undefined || text.length > MOST_CHARS)
    return lowerPromql(parsePromqlOrThrow(text, { features, parameters }))
  const plan = knownPlans.get(text) ?? lowerPromql(parsePromqlOrThrow(text))
  // Moves the text to the end. The map is in order of use, so the first entry is the least recently used one and is
  // evicted.
  knownPlans.delete(text)
  knownPlans.set(text, plan)
  const oldest = knownPlans.size > MOST_PLANS ? knownPlans.keys().next().value : undefined
  if (oldest !== undefined) knownPlans.delete(oldest)
  return plan
}

/** Evaluates an expression at one time, Unix ms. Throws `SluiceError`. */
export async function queryPromql(text: string, timeMs: number, options: PromqlOptions): Promise<PromqlResult> {
  return run(compilePromql(text, options), text, { startMs: timeMs, endMs: timeMs, stepMs: 0 }, options)
}

/** Evaluates an expression at every step from start to end, Unix ms. Throws `SluiceError`. */
export async function queryPromqlRange(
  text: string,
  times: SeriesTimes,
  options: PromqlOptions,
): Promise<PromqlResult> {
  if (!(times.stepMs > 0)) failSeries('bad-step', undefined, nowhere)
  return run(compilePromql(text, options), text, times, options)
}

/** Evaluates a plan of any metric language. A step of 0 means an instant query. Throws `SluiceError`. */
export async function querySeriesPlan(
  plan: SeriesPlan,
  times: SeriesTimes,
  options: PromqlOptions,
): Promise<PromqlResult> {
  return run(plan, undefined, times, options)
}

/** Converts a result to the JSON of Prometheus's API. Yields UTF-8 chunks of about 64 KiB. */
export function promqlJson(result: PromqlResult): Generator<Uint8Array> {
  checkArgument(
    hasMember(result, 'answer'),
    result,
    'the answer of a metric query',
    'promqlJson(await promql.query(text).answer())',
  )
  return answerJson(result.answer, result)
}

/** The error types in Prometheus's API. */
export type PromqlErrorType = 'bad_data' | 'execution' | 'timeout' | 'canceled' | 'internal'

const REQUEST_FAULTS = new Set([
  'series/too-many-steps',
  'series/bad-step',
  'series/bad-ends',
  'series/bad-range-type',
  'series/bad-duration',
])

/** Returns the error type of a thrown error in Prometheus's API. */
export function promqlErrorType(error: unknown): PromqlErrorType {
  if (!(error instanceof SluiceError)) return 'internal'
  const { code } = error
  if (code === 'budget/deadline') return 'timeout'
  if (code === 'budget/cancelled') return 'canceled'
  if (code.startsWith('promql/') || REQUEST_FAULTS.has(code)) return 'bad_data'
  return 'execution'
}

/** Returns the message of an error as in Prometheus's API. Errors in the text include their position. */
export function promqlErrorText(error: unknown, text: string): string {
  if (!(error instanceof SluiceError)) return 'internal error'
  const [first] = error.diagnostics
  if (first === undefined) return error.message
  if (first.code.startsWith('promql/')) return renderPromqlError(first, text)
  return first.code === 'series/bad-duration' ? `${promqlPosition(first, text)}: ${first.message}` : first.message
}

/** Returns the default step of a range query, ms: gives about 250 points, at least 15 s apart. */
export function defaultStepMs(spanMs: number): number {
  return Math.max(15_000, Math.ceil(spanMs / 250_000) * 1000)
}
