import { SluiceError, isError, nowhere, saidOnce, type Diagnostic } from '../base/index.ts'
import type { Acceptor, Backend, CompiledStatement, StatementCompiler } from '../backends/index.ts'
import { columnarBackend } from '../backends/columnar/index.ts'
import type { PlainRow } from '../data/index.ts'
import type { Functions } from '../functions/index.ts'
import type { ExplainTree, LogicalPlan } from '../plan/index.ts'
import { tableSet } from '../store/index.ts'
import { adviceAtOnce } from './notes/advice.ts'
import { assign } from './assign.ts'
import type { CompileOptions, CompiledPlan } from './compile.ts'
import { engineDiagnostic } from './diagnostics.ts'
import { explainOpen } from './explain.ts'
import { languageOf } from './language.ts'
import {
  checkQuery,
  checkQueryOptions,
  engineOptions,
  type EngineOptions,
  type PlanOptions,
  type QueryOptions,
  type StatementOptions,
} from './options.ts'
import { Planner } from './planner.ts'
import { Query } from './query.ts'
import type { QueryResult } from './result.ts'
import { hasSubqueries } from './subqueries.ts'
import { EngineThreads, threadsOf } from './threads.ts'

function runsStatements(backend: Backend): backend is Backend & StatementCompiler {
  return 'compile' in backend && typeof backend.compile === 'function'
}

/**
 * Answers query texts and plans. Preparing a query is synchronous, reads no data, and throws SluiceError with all
 * errors of the query. The result is read lazily.
 */
export class Engine extends Planner {
  /** @internal */
  override readonly functions: Functions
  /** @internal */
  readonly backends: readonly Backend[]
  readonly #upper: Backend
  readonly #threads: EngineThreads | undefined

  constructor(options: EngineOptions = {}) {
    const given = options.tables === undefined ? undefined : tableSet(options.tables)
    const language = languageOf(options.extend ?? {}, options.functions)
    super(given === undefined ? options : { catalog: given.catalog, ...options }, language)
    this.functions = language.functions
    const { threads = 1 } = options
    if (threads > 1) this.#threads = new EngineThreads(threads - 1, given?.tables.values() ?? [])
    const parallelism = this.#threads
    if (parallelism !== undefined) threadsOf.set(this, parallelism)
    const inMemory = columnarBackend(given ?? { tables: new Map() }, this.functions, { parallelism })
    this.backends = options.backends ?? (given === undefined ? [] : [inMemory])
    const named = (name: string): Backend | undefined => this.backends.find((backend) => backend.name === name)
    this.#upper = options.upper ?? named('columnar') ?? named('rows') ?? inMemory
  }

  /** Resolves when the engine's threads have indexed all segments that are sealed at the time of the call. */
  async indexed(): Promise<void> {
    await this.#threads?.indexed()
  }

  /** Stops the threads of the engine. Queries then use only the calling thread. */
  async close(): Promise<void> {
    await this.#threads?.close()
  }

  /** @internal Adds the facts that in-memory tables know about their rows. A caller with a scope gets no such facts. */
  override compileOptions(options: PlanOptions): CompileOptions {
    const compile = super.compileOptions(options)
    const [owner] = this.backends
    if (owner === undefined) return compile
    const { scope } = compile
    return {
      ...compile,
      rowsIn: (table, range) => (scope === undefined ? owner.tables?.get(table)?.rowsIn?.(range) : undefined),
    }
  }

  /**
   * Returns all diagnostics of a query text. They include advice on names, from facts that in-memory tables know about
   * their rows.
   */
  override check(text: string, options: QueryOptions = {}): readonly Diagnostic[] {
    const [owner] = this.backends
    const reported = super.check(text, options)
    if (reported.some(isError) || options.parameters !== undefined || this.placeholders(text, options) !== undefined)
      return reported
    const { bound } = this.plan(text, { ...options, lint: 'off' })
    const advice = adviceAtOnce(bound, owner, this.compileOptions(options), text)
    return saidOnce([...reported, ...this.withReadableFixes(text, advice, options)])
  }

  /** Prepares a query text. `Shape` is the type of the rows, which is not checked. */
  query<Shape extends object = PlainRow>(text: string, options: QueryOptions = {}): QueryResult<Shape> {
    checkQuery(text, options)
    const nowNs = options.nowNs ?? this.clock.nowNs()
    const { plan, diagnostics } = this.planOfText(text, { ...options, nowNs })
    return this.queryPlan(plan, { ...options, nowNs }, diagnostics)
  }

  /**
   * Explains which backend would run which fragment. Runs nothing; parameters need no values. `explain()` of a result
   * also has measurements.
   */
  explain(text: string, options: QueryOptions = {}): ExplainTree {
    checkQuery(text, options)
    return explainOpen(this.placeholders(text, options), (parameters) =>
      this.query(text, { ...options, parameters: parameters ?? options.parameters }).explain(),
    )
  }

  /**
   * Returns the SQL statement of a query, or of the fragment that the database would run. Runs nothing. Throws
   * `engine/no-compiler` if no backend compiles statements.
   */
  toSQL(text: string, options: StatementOptions = {}): CompiledStatement {
    return this.statementOf(this.plan(text, options), options)
  }

  /**
   * @internal Returns the statement of a compiled plan, which must have been made by `compilePlan` with the same
   * options.
   */
  statementOf({ optimized }: CompiledPlan, options: StatementOptions = {}): CompiledStatement {
    const compiler = options.compiler ?? this.#compiler(options.backend)
    if (options.scope !== undefined) throw new SluiceError([engineDiagnostic('statement-under-scope', {}, nowhere)])
    if (hasSubqueries(optimized)) throw new SluiceError([engineDiagnostic('subquery-first', {}, optimized.origin)])
    const fragment = assign<Acceptor>(optimized, compiler, this.#upper, this.functions)
    const [below] = fragment.backend === compiler ? [fragment] : fragment.inputs.values()
    const { sql, parameters, notes = [] } = compiler.compile((below ?? fragment).plan)
    return { sql, parameters, ...(notes.length === 0 ? {} : { notes }) }
  }

  /** Prepares a plan of any query language. Throws SluiceError if the plan has errors. */
  queryPlan<Shape extends object = PlainRow>(
    plan: LogicalPlan,
    options: QueryOptions = {},
    /** Diagnostics of the parser. */
    diagnostics: readonly Diagnostic[] = [],
  ): QueryResult<Shape> {
    checkQueryOptions(options)
    const { scope } = options
    const read = scope === undefined ? options : { ...options, scope: this.scope(scope, options) }
    return this.queryCompiled(this.compilePlan(plan, read, diagnostics), read)
  }

  /** @internal Prepares a compiled plan, which `compilePlan` of any engine with equal options may have made. */
  queryCompiled<Shape extends object = PlainRow>(
    compiled: CompiledPlan,
    options: QueryOptions = {},
  ): QueryResult<Shape> {
    const owner = this.#backend(options.backend)
    return new Query({
      compiled,
      options: this.compileOptions(options),
      owner,
      upper: this.#upper,
      clock: this.clock,
      nowNs: options.nowNs ?? this.clock.nowNs(),
      signal: options.signal,
      startMs: options.startMs,
      overLimit: options.overLimit ?? 'error',
      arrivals: options.arrivals,
    })
  }

  #compiler(name: string | undefined): StatementCompiler {
    const named = name === undefined ? undefined : this.#backend(name)
    const found = named ?? this.backends.find(runsStatements)
    if (found !== undefined && runsStatements(found)) return found
    throw new SluiceError([engineDiagnostic('no-compiler', { name: found?.name }, nowhere)])
  }

  #backend(name: string | undefined): Backend {
    const found = name === undefined ? this.backends[0] : this.backends.find((backend) => backend.name === name)
    if (found !== undefined) return found
    if (name === undefined) throw new SluiceError([engineDiagnostic('no-backend', {}, nowhere)])
    const known = this.backends.map((backend) => backend.name)
    throw new SluiceError([engineDiagnostic('unknown-backend', { name, known }, nowhere)])
  }
}

/**
 * Creates an engine. Throws SluiceError: `options/…` for unknown options; `table/…` and `log/bad-definition` for
 * invalid tables and extensions.
 */
export function createEngine(options: EngineOptions = {}): Engine {
  engineOptions.check(options, '`createEngine`')
  return new Engine(options)
}
