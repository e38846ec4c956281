import { Budget, Options, checkArgument, nowhere, type Diagnostic } from '../../base/index.ts'
import type { SeriesTimes } from '../../backends/columnar/series/index.ts'
import { batchOfRows, field, type PlainRow, type RecordBatch, type Schema } from '../../data/index.ts'
import { failSeries } from '../../functions/series/index.ts'
import {
  bindPromql,
  checkOpen,
  ALL_FEATURES,
  parsePromql,
  formatPromql,
  promqlPlaceholders,
  type Parameters,
  type Placeholders,
  type PromqlFeatures,
  type PromqlParse,
} from '../../lang/promql/index.ts'
import type { ExplainTree, SeriesPlan } from '../../plan/index.ts'
import { SampleStore, type SampleSource } from '../../store/samples/index.ts'
import { explainOpen } from '../explain.ts'
import { SeriesMeasures, seriesTree } from './explain-promql.ts'
import { defaultEngineLimits, type EngineLimits } from '../limits.ts'
import type { Clock } from '../options.ts'
import { Planner } from '../planner.ts'
import { compilePromql, prepareSeriesPlan, runPrepared, type PromqlOptions, type PromqlResult } from './promql.ts'
import type { Answer, QueryStatistics } from '../result.ts'
import { readPlainArray, readPlainRows } from '../read-batches.ts'
import { checkGuard } from './label-guard.ts'
import { rowsOfSeries } from './series-rows.ts'
import { statisticsOf } from '../statistics.ts'
import { threadsOf } from '../threads.ts'

/** Options of metric queries. */
export type PromqlEngineOptions = Pick<
  PromqlOptions,
  'guard' | 'features' | 'flags' | 'lookbackMs' | 'defaultStepMs' | 'limitSamples' | 'optimizer'
>

export interface ParameterOptions {
  /** Values of the parameters, written `$name` in the expression. */
  readonly parameters?: Parameters | undefined
}

/** Options of one metric query: its times and parameters. */
export interface PromqlQueryOptions extends ParameterOptions {
  /** Time of an instant query, Unix ms. Default: the current time of the engine's clock. */
  readonly timeMs?: number | undefined
  /** Makes the query a range query, evaluated at every step from start to end, both included. Unix ms. */
  readonly range?: SeriesTimes | undefined
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined
  readonly limits?: Partial<EngineLimits> | undefined
}

const engineOptions = new Options<PromqlEngineOptions>({
  guard: 'object',
  features: Options.like<Partial<PromqlFeatures>>(ALL_FEATURES),
  flags: 'object',
  lookbackMs: 'number',
  defaultStepMs: 'number',
  limitSamples: 'number',
  optimizer: 'object',
})

const queryOptions = new Options<PromqlQueryOptions>({
  timeMs: 'number',
  range: new Options<SeriesTimes>({ startMs: 'number', endMs: 'number', stepMs: 'number' }, [
    'startMs',
    'endMs',
    'stepMs',
  ]),
  signal: 'object',
  limits: Options.like<Partial<EngineLimits>>(defaultEngineLimits, ['batchRows']),
  parameters: 'object',
})

function checkQuery(text: unknown, options: unknown = {}): void {
  checkArgument(typeof text === 'string', text, 'a PromQL expression', "promql.query('up', { timeMs: Date.now() })")
  queryOptions.check(options, 'a metric query')
}

/** A metric query that is ready to run. Each row is one sample: `_time`, the labels, `value`. */
export interface SeriesResult extends Answer {
  readonly plan: SeriesPlan
  /**
   * Runs the query and returns series with their samples, warnings and infos. `promqlJson` converts the result to the
   * format of Prometheus's API.
   */
  answer(): Promise<PromqlResult>
}

const schema: Schema = { fields: [field('_time', 'time'), field('value')], isOpen: true }

interface Run {
  readonly budget: Budget
  readonly measures: SeriesMeasures
  readonly startMs: number
  milliseconds: number
  rows: number
}

class SeriesQuery implements SeriesResult {
  readonly schema = schema
  readonly diagnostics: readonly Diagnostic[] = []
  readonly plan: SeriesPlan
  readonly #text: string
  readonly #times: SeriesTimes
  readonly #options: PromqlEngineOptions & Pick<PromqlOptions, 'source' | 'parallelism'>
  readonly #clock: Clock
  readonly #budgetOf: () => Budget
  #latest: Run | undefined

  constructor(
    text: string,
    times: SeriesTimes,
    options: PromqlEngineOptions & Pick<PromqlOptions, 'source' | 'parallelism' | 'parameters'>,
    clock: Clock,
    budgetOf: () => Budget,
  ) {
    this.plan = prepareSeriesPlan(compilePromql(text, options), options)
    // Positions in notes refer to the text in which parameters are replaced by literals.
    this.#text = options.parameters === undefined ? text : bindPromql(text, options.parameters).text
    this.#times = times
    this.#options = options
    this.#clock = clock
    this.#budgetOf = budgetOf
  }

  async answer(): Promise<PromqlResult> {
    const run: Run = {
      budget: this.#budgetOf(),
      measures: new SeriesMeasures(),
      startMs: this.#clock.nowMs(),
      milliseconds: 0,
      rows: 0,
    }
    this.#latest = run
    const options = { ...this.#options, budget: run.budget, observer: run.measures }
    try {
      return await runPrepared(this.plan, this.#text, this.#times, options)
    } finally {
      run.milliseconds = this.#clock.nowMs() - run.startMs
    }
  }

  async *batches(): AsyncIterable<RecordBatch> {
    const { answer } = await this.answer()
    const rows = rowsOfSeries(answer)
    if (this.#latest !== undefined) this.#latest.rows = rows.length
    if (rows.length > 0) yield batchOfRows(schema, rows)
  }

  rows(): AsyncIterable<PlainRow> {
    return readPlainRows(this.batches())
  }

  toArray(): Promise<PlainRow[]> {
    return readPlainArray(this.batches())
  }

  /** Returns `undefined`, because the answer of a metric query is always complete. */
  partial(): undefined {
    return undefined
  }

  statistics(): QueryStatistics {
    const { budget, rows, milliseconds } = this.#latest ?? { budget: this.#budgetOf(), rows: 0, milliseconds: 0 }
    return statisticsOf(budget, [this.explain()], rows, milliseconds, this.#options.guard !== undefined)
  }

  explain(): ExplainTree {
    return seriesTree(this.plan, { measures: this.#latest?.measures })
  }
}

/** Answers metric queries over samples, with the methods, clock and limits of an engine. Metric queries have no SQL. */
export class PromqlEngine {
  readonly #planner: Planner
  readonly #options: PromqlEngineOptions & Pick<PromqlOptions, 'source' | 'parallelism'>

  constructor(planner: Planner, samples: SampleSource, options: PromqlEngineOptions = {}) {
    this.#planner = planner
    this.#options = { ...options, source: samples, parallelism: threadsOf.get(planner) }
  }

  /** Parses an expression; never throws. */
  parse(text: string): PromqlParse {
    checkQuery(text)
    return parsePromql(text, { features: this.#options.features })
  }

  /**
   * Returns all errors of an expression; never throws for bad input. Without `parameters`, the parameters in the text
   * may have any values; with `parameters`, a missing parameter is an error.
   */
  check(text: string, options: ParameterOptions = {}): readonly Diagnostic[] {
    checkQuery(text, options)
    const { features } = this.#options
    return checkOpen(
      this.#open(text, options),
      (parameters) => parsePromql(text, { features, parameters: parameters ?? options.parameters }).diagnostics,
    )
  }

  /**
   * Formats an expression in lines of at most 100 characters. Parameters keep their names. Throws SluiceError if the
   * expression has errors.
   */
  format(text: string): string {
    checkQuery(text)
    return formatPromql(text, { features: this.#options.features })
  }

  /** Returns the guarded and optimized plan of an expression. Throws SluiceError if the expression has errors. */
  plan(text: string, options: ParameterOptions = {}): SeriesPlan {
    checkQuery(text, options)
    const { parameters = {} } = options
    return prepareSeriesPlan(compilePromql(text, { ...this.#options, parameters }), this.#options)
  }

  /** Prepares an expression. Throws SluiceError if the expression has errors. */
  query(text: string, options: PromqlQueryOptions = {}): SeriesResult {
    checkQuery(text, options)
    const { clock } = this.#planner
    const { timeMs = Number(clock.nowNs() / 1_000_000n), range, signal } = options
    if (range !== undefined && !(range.stepMs > 0)) failSeries('bad-step', undefined, nowhere)
    const times = range ?? { startMs: timeMs, endMs: timeMs, stepMs: 0 }
    const limits = { ...this.#planner.limits, ...options.limits }
    return new SeriesQuery(
      text,
      times,
      { ...this.#options, parameters: options.parameters ?? {} },
      clock,
      () => new Budget(limits, clock.nowMs, signal),
    )
  }

  /** Explains an expression without reading anything. Parameters need no values. */
  explain(text: string, options: ParameterOptions = {}): ExplainTree {
    checkQuery(text, options)
    return explainOpen(this.#open(text, options), (parameters) =>
      seriesTree(this.plan(text, { parameters: parameters ?? options.parameters })),
    )
  }

  #open(text: string, { parameters }: ParameterOptions): Placeholders | undefined {
    return parameters === undefined ? promqlPlaceholders(text, { features: this.#options.features }) : undefined
  }
}

/**
 * Creates an engine for PromQL. `samples` is a store or another sample source; each query reads its current state.
 * Throws SluiceError `options/…` for invalid options.
 */
export function createPromql(
  engine: Planner,
  samples: SampleStore | SampleSource,
  options: PromqlEngineOptions = {},
): PromqlEngine {
  const call = 'createPromql(engine, samples)'
  checkArgument(engine instanceof Planner, engine, 'an engine that `createEngine` made', call)
  const source: Partial<SampleSource> | undefined = samples instanceof SampleStore ? samples.reader : samples
  checkArgument(typeof source?.select === 'function', samples, 'a `SampleStore` as its second argument', call)
  engineOptions.check(options, '`createPromql`')
  if (options.guard !== undefined) checkGuard(options.guard, 'the guard of `createPromql`')
  return new PromqlEngine(engine, source as SampleSource, options)
}
