import { hasMember, checkArgument, SluiceError, nowhere, type Budget } from '../../base/index.ts'
import type { Parallelism } from '../../backends/columnar/index.ts'
import {
  DEFAULT_FLAGS,
  DEFAULT_LOOKBACK_MS,
  DEFAULT_SUBQUERY_STEP_MS,
  answerJson,
  renderAnnotation,
  runSeriesQuery,
  type SeriesAnswer,
  type SeriesObserver,
  type SeriesTimes,
} from '../../backends/columnar/series/index.ts'
import { failSeries, type SeriesBudget, type SeriesFlags } from '../../functions/series/index.ts'
import {
  lowerPromql,
  parsePromqlOrThrow,
  promqlPlace,
  renderPromqlError,
  type Parameters,
  type PromqlFeatures,
} from '../../lang/promql/index.ts'
import { optimizeSeries, type OptimizeSeriesOptions } from '../../optimize/series/index.ts'
import { mapSeriesSelects, type LabelPredicate, type SeriesPlan } from '../../plan/series/index.ts'
import { verifySeriesScope } from '../../policy/index.ts'
import type { SampleSource } from '../../store/samples/index.ts'

/** Samples that one query may read or make. */
export const DEFAULT_LIMIT_SAMPLES = 50_000_000

export interface PromqlOptions {
  readonly source: SampleSource
  /** Counts memory and time, and carries the cancel word. */
  readonly budget: Budget
  /** What the caller may see; every selector is guarded by it. */
  readonly guard?: LabelPredicate | undefined
  /** Values of the parameters that the text names as `$name`. */
  readonly parameters?: Parameters | undefined
  readonly features?: Partial<PromqlFeatures> | undefined
  readonly flags?: Partial<SeriesFlags> | undefined
  readonly lookbackMs?: number | undefined
  /** Step of subqueries that name none. */
  readonly defaultStepMs?: number | undefined
  readonly limitSamples?: number | undefined
  /** Rules to leave out (`*` for all), and who is told of each step. */
  readonly optimizer?: Pick<OptimizeSeriesOptions, 'disabled' | 'observe'> | undefined
  /** Threads that take morsels of long calls; none unless given. */
  readonly parallelism?: Parallelism | undefined
  /** Told what each node did. */
  readonly observer?: SeriesObserver | undefined
}

/** An answer with what its author should know beside it. */
export interface PromqlResult {
  readonly answer: SeriesAnswer
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
  /** What the query has cost, where that was asked for. */
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

/** Guards every selector, before any rule runs; then optimizes. */
export function prepareSeriesPlan(plan: SeriesPlan, options: Pick<PromqlOptions, 'guard' | 'optimizer'>): SeriesPlan {
  const { guard, optimizer } = options
  const guarded = guard === undefined ? plan : mapSeriesSelects(plan, (select) => ({ ...select, guard }))
  return optimizeSeries(guarded, optimizer)
}

/** Runs a plan that is prepared. `text` is what its notes speak of. */
export async function runPrepared(
  plan: SeriesPlan,
  text: string | undefined,
  times: SeriesTimes,
  options: PromqlOptions,
): Promise<PromqlResult> {
  // On the plan about to run, so that no rule can have lost a guard.
  if (options.guard !== undefined) verifySeriesScope(plan, options.guard)
  const { answer, annotations } = await runSeriesQuery(plan, {
    source: options.source,
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

/** Plans of texts without parameters, those asked last: dashboards and alerts ask the same texts again and again. Nobody writes to a plan. */
const knownPlans = new Map<string, SeriesPlan>()
const MOST_PLANS = 128
const MOST_CHARS = 512

/** The plan of a text, as it was written. Throws `SluiceError`. */
export function compilePromql(text: string, options: Pick<PromqlOptions, 'features' | 'parameters'>): SeriesPlan {
  const { features, parameters } = options
  if (features !== undefined || parameters !== undefined || text.length > MOST_CHARS)
    return lowerPromql(parsePromqlOrThrow(text, { features, parameters }))
  const plan = knownPlans.get(text) ?? lowerPromql(parsePromqlOrThrow(text))
  // Behind all others, of which the first was asked longest ago.
  knownPlans.delete(text)
  knownPlans.set(text, plan)
  const oldest = knownPlans.size > MOST_PLANS ? knownPlans.keys().next().value : undefined
  if (oldest !== undefined) knownPlans.delete(oldest)
  return plan
}

/** Answers an expression at one time, in Unix milliseconds. Throws `SluiceError`. */
export async function queryPromql(text: string, timeMs: number, options: PromqlOptions): Promise<PromqlResult> {
  return run(compilePromql(text, options), text, { startMs: timeMs, endMs: timeMs, stepMs: 0 }, options)
}

/** Answers an expression at every step from start to end, in Unix milliseconds. Throws `SluiceError`. */
export async function queryPromqlRange(
  text: string,
  times: SeriesTimes,
  options: PromqlOptions,
): Promise<PromqlResult> {
  if (!(times.stepMs > 0)) failSeries('bad-step', undefined, nowhere)
  return run(compilePromql(text, options), text, times, options)
}

/** As `queryPromql` and `queryPromqlRange`, for a plan that another front end made; a step of 0 is an instant query. */
export async function querySeriesPlan(
  plan: SeriesPlan,
  times: SeriesTimes,
  options: PromqlOptions,
): Promise<PromqlResult> {
  return run(plan, undefined, times, options)
}

/** The result in the envelope that metric tools expect, as UTF-8 in chunks of about 64 KiB. */
export function promqlJson(result: PromqlResult): Generator<Uint8Array> {
  checkArgument(
    hasMember(result, 'answer'),
    result,
    'the answer of a metric query',
    'promqlJson(await promql.query(text).answer())',
  )
  return answerJson(result.answer, result)
}

/** The kinds of failure that metric tools tell apart. */
export type PromqlErrorType = 'bad_data' | 'execution' | 'timeout' | 'canceled' | 'internal'

const REQUEST_FAULTS = new Set([
  'series/too-many-steps',
  'series/bad-step',
  'series/bad-ends',
  'series/bad-range-type',
  'series/bad-duration',
])

/** Which kind a thrown error is. */
export function promqlErrorType(error: unknown): PromqlErrorType {
  if (!(error instanceof SluiceError)) return 'internal'
  const { code } = error
  if (code === 'budget/deadline') return 'timeout'
  if (code === 'budget/cancelled') return 'canceled'
  if (code.startsWith('promql/') || REQUEST_FAULTS.has(code)) return 'bad_data'
  return 'execution'
}

/** The message of a thrown error as metric tools show it; errors of the text and of its durations with their place. */
export function promqlErrorText(error: unknown, text: string): string {
  if (!(error instanceof SluiceError)) return 'internal error'
  const [first] = error.diagnostics
  if (first === undefined) return error.message
  if (first.code.startsWith('promql/')) return renderPromqlError(first, text)
  return first.code === 'series/bad-duration' ? `${promqlPlace(first, text)}: ${first.message}` : first.message
}

/** Milliseconds between the points of a range query that names no step: about 250 points, at least 15 s apart. */
export function defaultStepMs(spanMs: number): number {
  return Math.max(15_000, Math.ceil(spanMs / 250_000) * 1000)
}
