import { Budget, SluiceError, nowhere, present, runWithBudget, type Diagnostic } from '../base/index.ts'
import { impliedRange } from '../analyze/index.ts'
import type { Backend } from '../backends/index.ts'
import { batchOfRows, rowsOf, type PlainRow, type RecordBatch, type Row, type Schema } from '../data/index.ts'
import { isGrouped, planTree, type ExplainTree, type LogicalPlan } from '../plan/index.ts'
import { adviceOnNames } from './notes/advice.ts'
import { numberAdvice } from './notes/number-advice.ts'
import { rangeAdvice } from './notes/range-advice.ts'
import { answerNotes } from './notes/answer-notes.ts'
import { assign, type BackendFragment } from './assign.ts'
import type { Arrivals } from '../store/index.ts'
import type { Clock, OverLimit } from './options.ts'
import { optimizePlan, type CompileOptions, type CompiledPlan } from './compile.ts'
import { engineDiagnostic } from './diagnostics.ts'
import { definitionNotes, withNotes } from './notes/definition-notes.ts'
import type { QueryResult, QueryStatistics } from './result.ts'
import { FragmentRun, type RunContext } from './run.ts'
import { readPlainArray, readPlainRows, readRows } from './read-batches.ts'
import { statisticsOf } from './statistics.ts'
import { hasSubqueries, resolveSubqueries } from './subqueries.ts'

/** Everything that a query needs to run. */
export interface QuerySetting {
  readonly compiled: CompiledPlan
  readonly options: CompileOptions
  /** The backend that stores the data. It runs as much as it can. */
  readonly owner: Backend
  /** The backend that runs what the owner cannot run. */
  readonly upper: Backend
  readonly clock: Clock
  readonly nowNs: bigint
  readonly signal: AbortSignal | undefined
  /** Start of the time limit, ms of the engine's clock. Default: the start of the run. */
  readonly startMs: number | undefined
  readonly overLimit: OverLimit
  readonly arrivals: Arrivals | undefined
}

const RUN_LIMITS: ReadonlySet<string> = new Set(['budget/deadline', 'budget/memory', 'budget/rows'])

/** Returns the diagnostic of a limit that was exceeded; `undefined` if the error has another reason. */
function limitMet(error: unknown): Diagnostic | undefined {
  if (!(error instanceof SluiceError)) return undefined
  return error.diagnostics.find(({ code }) => RUN_LIMITS.has(code))
}

interface Run {
  readonly context: RunContext
  readonly startMs: number
  endMs: number
  rows: number
  /** The limit that ended the run early; missing if none did. */
  partial?: Diagnostic
  /** The runs of subqueries, followed by the run of the query itself. */
  readonly fragments: FragmentRun[]
  /** The run of the query itself, once it has started. */
  main?: FragmentRun
}

export class Query<Shape extends object = PlainRow> implements QueryResult<Shape> {
  readonly schema: Schema
  readonly isAggregate: boolean
  readonly diagnostics: readonly Diagnostic[]
  readonly plan: LogicalPlan
  readonly #setting: QuerySetting
  readonly #hasSubqueries: boolean
  #assigned: BackendFragment | undefined
  #latest: Run | undefined
  /** Fragments of `askPlans`, whose databases have returned the plans of their statements without a run. */
  #asked: FragmentRun | undefined

  constructor(setting: QuerySetting) {
    const { compiled } = setting
    this.#setting = setting
    this.schema = compiled.schema
    this.diagnostics = compiled.diagnostics
    this.plan = compiled.optimized
    this.isAggregate = isGrouped(compiled.bound)
    this.#hasSubqueries = hasSubqueries(compiled.optimized)
  }

  async *batches(): AsyncIterable<RecordBatch> {
    const { clock } = this.#setting
    const run = this.#start()
    this.#latest = run
    try {
      const fragment = this.#hasSubqueries
        ? this.#fragmentRun(run, this.#assign(this.#optimized(run, await this.#resolved(run))))
        : this.#wholeFragment(run)
      run.fragments.push(fragment)
      run.main = fragment
      yield* this.#cut(run, fragment.batches())
    } catch (error) {
      const cut = this.#setting.overLimit === 'partial' ? limitMet(error) : undefined
      if (cut === undefined) throw error
      run.partial = { ...cut, severity: 'warning' }
    } finally {
      run.endMs = clock.nowMs()
    }
  }

  /** Ends the answer at the maximum number of rows. */
  async *#cut(run: Run, batches: AsyncIterable<RecordBatch>): AsyncIterable<RecordBatch> {
    const { clock, options } = this.#setting
    const { answerRows } = options.limits
    for await (const batch of batches) {
      run.context.budget.checkpoint()
      run.endMs = clock.nowMs()
      const given = Math.min(batch.rowCount, answerRows - run.rows)
      run.rows += given
      if (given === batch.rowCount) {
        yield batch
        continue
      }
      run.partial = engineDiagnostic('answer-cut', { limit: answerRows }, nowhere)
      if (given > 0) yield batchOfRows(batch.schema, [...rowsOf(batch)].slice(0, given))
      return
    }
  }

  soFar(): AsyncIterable<RecordBatch> | undefined {
    if (this.#setting.options.scope !== undefined) return undefined
    const started = this.#start()
    const batches = this.#latest?.main?.soFar(started.context)
    return batches && this.#cut(started, batches)
  }

  rows(): AsyncIterable<Shape> {
    return readPlainRows(this.batches())
  }

  toArray(): Promise<Shape[]> {
    return readPlainArray(this.batches())
  }

  partial(): Diagnostic | undefined {
    return this.#latest?.partial
  }

  advice(text?: string): Promise<readonly Diagnostic[]> {
    const { compiled, options, owner } = this.#setting
    return adviceOnNames(compiled, owner, options, (inner, quiet) => this.#rowsOf(inner, quiet), text)
  }

  async rowAdvice(): Promise<readonly Diagnostic[]> {
    const { compiled, options, owner } = this.#setting
    const found = rangeAdvice(compiled.optimized, owner, options)
    return [...found, ...(await numberAdvice(compiled, owner, options, (inner, quiet) => this.#rowsOf(inner, quiet)))]
  }

  /** Runs another plan and returns its rows, for advice. */
  async #rowsOf(compiled: CompiledPlan, options: CompileOptions): Promise<readonly Row[]> {
    const rows: Row[] = []
    const query = new Query({ ...this.#setting, compiled, options, startMs: undefined, overLimit: 'error' })
    for await (const row of readRows(query.batches())) rows.push(row)
    return rows
  }

  statistics(): QueryStatistics {
    const run = this.#latest ?? this.#start()
    const isScoped = this.#setting.options.scope !== undefined
    // Measurements depend on hidden rows, so they are not used under a scope.
    const trees = isScoped ? [] : this.#treesOf(run)
    return statisticsOf(run.context.budget, trees, run.rows, run.endMs - run.startMs, isScoped)
  }

  explain(): ExplainTree {
    const { compiled, options } = this.#setting
    const tree = this.#tree()
    return { ...tree, notes: [...tree.notes, ...answerNotes(compiled.bound, options.catalog)] }
  }

  async askPlans(): Promise<void> {
    if (this.#latest === undefined && !this.#hasSubqueries) this.#asked ??= this.#wholeFragment(this.#start())
    for (const fragment of this.#latest?.fragments ?? [this.#asked]) await fragment?.askPlans()
  }

  #tree(): ExplainTree {
    const { compiled, owner, options } = this.#setting
    const run = this.#latest
    if (run !== undefined && run.fragments.length > 0) {
      const trees = this.#treesOf(run)
      const main = present(trees.at(-1))
      const first = trees.slice(0, -1).map((tree) => ({ ...tree, notes: ['subquery: ran first', ...tree.notes] }))
      return { ...main, inputs: [...main.inputs, ...first] }
    }
    // Backends never see subqueries. Before a subquery has run, it is unknown which backend runs the nodes above it.
    if (this.#hasSubqueries) {
      const tree = planTree(compiled.optimized, owner.name)
      return withNotes(tree, compiled.optimized, definitionNotes(options.functions, options.catalog))
    }
    return (this.#asked ?? this.#wholeFragment(this.#start())).explain()
  }

  #treesOf(run: Run): readonly ExplainTree[] {
    return run.fragments.map((fragment) => fragment.explain())
  }

  #start(): Run {
    const { clock, nowNs, signal, options } = this.#setting
    const budget = new Budget(options.limits, clock.nowMs, signal, this.#setting.startMs)
    const startMs = clock.nowMs()
    return {
      context: {
        budget,
        nowNs,
        limits: options.limits,
        scope: options.scope,
        whole: this.#setting.compiled.optimized,
        opened: new Map(),
        arrivals: this.#setting.arrivals,
        notesOf: definitionNotes(options.functions, options.catalog),
      },
      startMs,
      endMs: startMs,
      rows: 0,
      fragments: [],
    }
  }

  #optimized({ context: { budget } }: Run, plan: LogicalPlan): LogicalPlan {
    return runWithBudget(budget, () => optimizePlan(plan, this.#setting.options))
  }

  #assign(plan: LogicalPlan): BackendFragment {
    return assign(plan, this.#setting.owner, this.#setting.upper, this.#setting.options.functions)
  }

  #fragmentRun(run: Run, fragment: BackendFragment): FragmentRun {
    return new FragmentRun(fragment, run.context, this.#setting.compiled.timeRange)
  }

  /** Returns the fragments of a query without subqueries. Assigns them to backends only once. */
  #wholeFragment(run: Run): FragmentRun {
    this.#assigned ??= this.#assign(this.#setting.compiled.optimized)
    return this.#fragmentRun(run, this.#assigned)
  }

  #resolved(run: Run): Promise<LogicalPlan> {
    const { compiled, options } = this.#setting
    const inner = (each: LogicalPlan): AsyncIterable<RecordBatch> => this.#runInner(run, each)
    return resolveSubqueries(compiled.optimized, inner, options.limits.subqueryValues, run.context.budget)
  }

  /** Runs a subquery within the budget of the query. The filters of the subquery determine its own time range. */
  async *#runInner(run: Run, plan: LogicalPlan): AsyncIterable<RecordBatch> {
    const { options } = this.#setting
    const range = impliedRange(plan, (table) => options.catalog.tables.get(table)?.timeField)
    const fragment = new FragmentRun(this.#assign(this.#optimized(run, plan)), run.context, range)
    run.fragments.push(fragment)
    yield* fragment.batches()
  }
}
