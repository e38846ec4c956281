import { SluiceError, isError, nowhere, saidOnce, type Diagnostic } from '../base/index.ts'
import type { Acceptor, Backend, CompiledStatement, StatementCompiler } from '../backends/index.ts'
import { columnarBackend } from '../backends/columnar/index.ts'
import type { PlainRow } from '../data/index.ts'
import type { Functions } from '../functions/index.ts'
import type { ExplainTree, LogicalPlan, Table } from '../plan/index.ts'
import { tableSet, type Arrivals, type TableInput } from '../store/index.ts'
import { adviceAtOnce } from './notes/advice.ts'
import { assign } from './assign.ts'
import type { CompileOptions, CompiledPlan } from './compile.ts'
import { engineDiagnostic } from './diagnostics.ts'
import { explainOpen } from './explain.ts'
import { languageOf } from './language.ts'
import { Planner, type PlanOptions, type PlannerOptions } from './planner.ts'
import { Query, type OverLimit } from './query.ts'
import type { QueryResult } from './result.ts'
import { hasSubqueries } from './subqueries.ts'
import { EngineThreads, threadsOf } from './threads.ts'

export interface EngineOptions extends PlannerOptions {
  /** The standard functions unless given. */
  readonly functions?: Functions | undefined
  /**
   * What queries read, by the name that they use: arrays of objects, functions that give objects anew for each query,
   * tables of `defineTable` or of a store. A query that names none reads the first. Each query reads an array as it stands: rows
   * that were added, replaced, removed or changed in place are seen, and columns of unchanged values are reused.
   */
  readonly tables?: Readonly<Record<string, TableInput>> | readonly Table[] | undefined
  /**
   * Who can run queries. The first does unless a query names another. Unless given, one in memory over the tables; with
   * neither, queries are only planned.
   */
  readonly backends?: readonly Backend[] | undefined
  /**
   * The backend that runs what the one with the data cannot; unless given one that is called `columnar` or `rows`, else
   * one in memory. Its data are not touched: it reads the rows of the other.
   */
  readonly upper?: Backend | undefined
  /**
   * Threads that work on a long query over tables of a memory store, the calling one included; 1 unless given. The others start when they
   * are first needed, index what is loaded, and end with `close()`. Answers are the same with any number. Only Node has other threads.
   */
  readonly threads?: number | undefined
}

export interface QueryOptions extends PlanOptions {
  /** Stops the run. */
  readonly signal?: AbortSignal | undefined
  /** When its time began, milliseconds of the engine's clock; when its answer is first read, unless given. */
  readonly startMs?: number | undefined
  /**
   * What becomes of a query that meets its limit of time, memory or rows read: `error`, unless given, throws; `partial`
   * ends the answer with what was given so far, and `partial()` of the result says which limit it was.
   */
  readonly overLimit?: OverLimit | undefined
  /** A backend by name. */
  readonly backend?: string | undefined
  /** Reads only rows that tables in memory have taken in from `next` on, and moves it behind the last of them. */
  readonly arrivals?: Arrivals | undefined
}

export interface StatementOptions extends QueryOptions {
  /**
   * Writes the statement: `sqliteStatements()` of `sluice/sqlite`, say, which needs no database. The backend that is
   * named, or the first that runs statements, unless given.
   */
  readonly compiler?: StatementCompiler
}

function runsStatements(backend: Backend): backend is Backend & StatementCompiler {
  return 'compile' in backend && typeof backend.compile === 'function'
}

/**
 * Query texts and plans in, answers out. Making a query is synchronous, reads nothing and throws SluiceError with every
 * error it can have; its result is then read lazily.
 */
export class Engine extends Planner {
  override readonly functions: Functions
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

  /** Resolves once its threads have indexed all segments of its tables that are sealed by now. */
  async indexed(): Promise<void> {
    await this.#threads?.indexed()
  }

  /** Ends its threads. Queries that run or come later go on without them. */
  async close(): Promise<void> {
    await this.#threads?.close()
  }

  /** With what tables in memory know of their rows: nothing of it for a caller with a scope. */
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

  /** As of a planner, and what tables in memory say of the names in the query. */
  override check(text: string, options: QueryOptions = {}): readonly Diagnostic[] {
    const [owner] = this.backends
    const told = super.check(text, options)
    if (told.some(isError) || options.parameters !== undefined || this.placeholders(text, options) !== undefined)
      return told
    const { bound } = this.plan(text, { ...options, lint: 'off' })
    const advice = adviceAtOnce(bound, owner, this.compileOptions(options), text)
    return saidOnce([...told, ...this.withReadableFixes(text, advice, options)])
  }

  /** A query text, ready to run. `Shape` is the caller's claim of what its rows are, which nothing checks. */
  query<Shape extends object = PlainRow>(text: string, options: QueryOptions = {}): QueryResult<Shape> {
    const nowNs = options.nowNs ?? this.clock.nowNs()
    const { plan, diagnostics } = this.planOfText(text, { ...options, nowNs })
    return this.queryPlan(plan, { ...options, nowNs }, diagnostics)
  }

  /**
   * Who would run what; nothing is run, and parameters need no values. `explain()` of a query that has run has measures
   * as well.
   */
  explain(text: string, options: QueryOptions = {}): ExplainTree {
    return explainOpen(this.placeholders(text, options), (parameters) =>
      this.query(text, { ...options, parameters: parameters ?? options.parameters }).explain(),
    )
  }

  /**
   * The SQL statement of a query: that of the part that the database takes, when it cannot take all. Nothing is run. Throws `engine/no-compiler` when nothing here writes statements.
   */
  toSQL(text: string, options: StatementOptions = {}): CompiledStatement {
    return this.statementOf(this.plan(text, options), options)
  }

  /** As `toSQL`, of a plan that `compilePlan` gave with the same options. */
  statementOf({ optimized }: CompiledPlan, options: StatementOptions = {}): CompiledStatement {
    const compiler = options.compiler ?? this.#compiler(options.backend)
    if (options.scope !== undefined) throw new SluiceError([engineDiagnostic('statement-under-scope', {}, nowhere)])
    if (hasSubqueries(optimized)) throw new SluiceError([engineDiagnostic('subquery-first', {}, optimized.origin)])
    const part = assign<Acceptor>(optimized, compiler, this.#upper, this.functions)
    const [below] = part.backend === compiler ? [part] : part.inputs.values()
    const { sql, parameters } = compiler.compile((below ?? part).plan)
    return { sql, parameters }
  }

  /** A query of any front end, ready to run. Throws SluiceError when it has errors. */
  queryPlan<Shape extends object = PlainRow>(
    plan: LogicalPlan,
    options: QueryOptions = {},
    /** What its front end had to say. */
    diagnostics: readonly Diagnostic[] = [],
  ): QueryResult<Shape> {
    const { scope } = options
    const read = scope === undefined ? options : { ...options, scope: this.scope(scope, options) }
    return this.queryCompiled(this.compilePlan(plan, read, diagnostics), read)
  }

  /** A plan that `compilePlan` of any engine with equal options gave, ready to run here. */
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

export function createEngine(options: EngineOptions = {}): Engine {
  return new Engine(options)
}
