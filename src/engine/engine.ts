import { SluiceError, always, nowhere, type Diagnostic, type Interval } from '../base/index.ts'
import type { Acceptor, Backend, CompiledStatement, StatementCompiler } from '../backends/index.ts'
import { standardFunctions, type Functions } from '../functions/index.ts'
import { canon, parse, type LogLimits, type Parsed } from '../lang/log/index.ts'
import type { Catalog, Dialect, ExplainTree, LogicalPlan } from '../plan/index.ts'
import type { DataScope } from '../policy/index.ts'
import { standardCatalog } from '../store/index.ts'
import { assign } from './assign.ts'
import { compilePlan, type CompileOptions, type CompiledPlan, type LintPolicy } from './compile.ts'
import { engineDiagnostic } from './diagnostics.ts'
import { defaultEngineLimits, type EngineLimits } from './limits.ts'
import { Query, type Clock, type OverLimit } from './query.ts'
import { checkRange } from './range.ts'
import type { QueryResult } from './result.ts'
import { hasSubqueries } from './subqueries.ts'
import { planOfText, type TextPlan } from './text.ts'

export interface EngineOptions {
  /** Who can run queries. The first does unless a query names another. Without any, queries are only planned. */
  readonly backends?: readonly Backend[]
  /**
   * The backend that runs what the one with the data cannot; `columnar` or `rows` when there is one. Its data are not
   * touched: it reads the rows of the other.
   */
  readonly upper?: Backend
  readonly catalog?: Catalog
  readonly functions?: Functions
  readonly limits?: Partial<EngineLimits>
  readonly clock?: Clock
  /** Unless a query says otherwise; `warn`. */
  readonly lint?: LintPolicy
}

export interface QueryOptions {
  /** ANDed into every scan, subqueries included; `[start, end)`. */
  readonly range?: Interval | undefined
  /** Stops the run. */
  readonly signal?: AbortSignal | undefined
  readonly limits?: Partial<EngineLimits> | undefined
  /**
   * What becomes of a query that meets its limit of time, memory or rows read: `error`, unless given, throws; `partial`
   * ends the answer with what was given so far, and `partial()` of the result says which limit it was.
   */
  readonly overLimit?: OverLimit | undefined
  /** `native` unless given. */
  readonly dialect?: Dialect | undefined
  /** A backend by name. */
  readonly backend?: string | undefined
  /** The table of a query that names none. */
  readonly table?: string | undefined
  /** What the caller may see of each table. */
  readonly scope?: DataScope | undefined
  /** Names of optimizer rules to leave out; `*` leaves out all. */
  readonly disabledRules?: readonly string[] | undefined
  readonly lint?: LintPolicy | undefined
  readonly disabledLints?: readonly string[] | undefined
  /** "Now" of relative times; the clock's unless given. */
  readonly nowNs?: bigint | undefined
  /** What a query text may hold. */
  readonly textLimits?: Partial<LogLimits> | undefined
  /**
   * Filters in the dialect of the query text, which rows of it and of all queries inside must meet as well: what a
   * dashboard adds. No data scope: a query's own text can be seen beside them, and plans do not prove them.
   */
  readonly extraFilters?: readonly string[] | undefined
}

const systemClock: Clock = {
  nowMs: () => performance.now(),
  nowNs: () => BigInt(Date.now()) * 1_000_000n,
}

function withDiagnostics(made: CompiledPlan, first: readonly Diagnostic[]): CompiledPlan {
  return first.length === 0 ? made : { ...made, diagnostics: [...first, ...made.diagnostics] }
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
export class Engine {
  readonly catalog: Catalog
  readonly functions: Functions
  readonly backends: readonly Backend[]
  readonly #options: EngineOptions
  readonly #upper: Backend | undefined

  constructor(options: EngineOptions = {}) {
    this.#options = options
    this.catalog = options.catalog ?? standardCatalog
    this.functions = options.functions ?? standardFunctions
    this.backends = options.backends ?? []
    const named = (name: string): Backend | undefined => this.backends.find((backend) => backend.name === name)
    this.#upper = options.upper ?? named('columnar') ?? named('rows')
  }

  /** Reads a query text; never throws. */
  parse(text: string, options: QueryOptions = {}): Parsed {
    const { dialect, textLimits } = options
    return parse(text, { dialect, limits: textLimits, functionNames: this.functions.stats.names() })
  }

  /** The canonical text of a query. Throws SluiceError when it has syntax errors. */
  format(text: string, options: QueryOptions = {}): string {
    this.#planOfText(text, options)
    return canon(this.parse(text, options).ast, options.dialect)
  }

  /** Everything there is to say of a query text, errors first; runs nothing and never throws for bad input. */
  check(text: string, options: QueryOptions = {}): readonly Diagnostic[] {
    try {
      return this.plan(text, options).diagnostics
    } catch (error) {
      if (error instanceof SluiceError) return error.diagnostics
      throw error
    }
  }

  /** The plan of a query text, bound, guarded and optimized. */
  plan(text: string, options: QueryOptions = {}): CompiledPlan {
    const { plan, diagnostics } = this.#planOfText(text, options)
    const compiled = this.compilePlan(plan, options)
    return withDiagnostics(compiled, diagnostics)
  }

  /** A query text, ready to run. */
  query(text: string, options: QueryOptions = {}): QueryResult {
    const nowNs = options.nowNs ?? this.clock.nowNs()
    const { plan, diagnostics } = this.#planOfText(text, { ...options, nowNs })
    return this.queryPlan(plan, { ...options, nowNs }, diagnostics)
  }

  /** Who would run what; nothing is run. `explain()` of a query that has run has measures as well. */
  explain(text: string, options: QueryOptions = {}): ExplainTree {
    return this.query(text, options).explain()
  }

  /**
   * The SQL statement of a query: that of the part the database takes, when it cannot take all and a backend of this
   * engine can do the rest. Nothing is run. Throws `engine/no-compiler` when nothing here writes statements.
   */
  toSQL(text: string, options: StatementOptions = {}): CompiledStatement {
    const compiler = options.compiler ?? this.#compiler(options.backend)
    if (options.scope !== undefined) throw new SluiceError([engineDiagnostic('statement-under-scope', {}, nowhere)])
    const { optimized } = this.plan(text, options)
    if (hasSubqueries(optimized)) throw new SluiceError([engineDiagnostic('subquery-first', {}, optimized.origin)])
    const part = assign<Acceptor>(optimized, compiler, this.#upper ?? compiler, this.functions)
    const [below] = part.backend === compiler ? [part] : part.inputs.values()
    const { sql, parameters } = compiler.compile((below ?? part).plan)
    return { sql, parameters }
  }

  get clock(): Clock {
    return this.#options.clock ?? systemClock
  }

  /** Throws SluiceError when the plan has errors; runs nothing. */
  compilePlan(plan: LogicalPlan, options: QueryOptions = {}): CompiledPlan {
    return compilePlan(plan, this.#compileOptions(options))
  }

  /** A query of any front end, ready to run. Throws SluiceError when it has errors. */
  queryPlan(
    plan: LogicalPlan,
    options: QueryOptions = {},
    /** What its front end had to say. */
    diagnostics: readonly Diagnostic[] = [],
  ): QueryResult {
    return this.queryCompiled(withDiagnostics(this.compilePlan(plan, options), diagnostics), options)
  }

  /** A plan that `compilePlan` of any engine with equal options gave, ready to run here. */
  queryCompiled(compiled: CompiledPlan, options: QueryOptions = {}): QueryResult {
    const owner = this.#backend(options.backend)
    return new Query({
      compiled,
      options: this.#compileOptions(options),
      owner,
      upper: this.#upper ?? owner,
      clock: this.clock,
      nowNs: options.nowNs ?? this.clock.nowNs(),
      signal: options.signal,
      overLimit: options.overLimit ?? 'error',
    })
  }

  #planOfText(text: string, options: QueryOptions): TextPlan {
    return planOfText(text, {
      dialect: options.dialect ?? 'native',
      catalog: this.catalog,
      table: options.table,
      nowNs: options.nowNs ?? this.clock.nowNs(),
      limits: options.textLimits,
      functionNames: this.functions.stats.names(),
      extraFilters: options.extraFilters,
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

  #compileOptions(options: QueryOptions): CompileOptions {
    const range = options.range ?? always
    checkRange(range)
    return {
      catalog: this.catalog,
      functions: this.functions,
      limits: { ...defaultEngineLimits, ...this.#options.limits, ...options.limits },
      range,
      dialect: options.dialect ?? 'native',
      table: options.table,
      scope: options.scope,
      disabledRules: options.disabledRules ?? [],
      lint: options.lint ?? this.#options.lint ?? 'warn',
      disabledLints: options.disabledLints ?? [],
    }
  }
}

export function createEngine(options: EngineOptions = {}): Engine {
  return new Engine(options)
}
