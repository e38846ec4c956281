import { SluiceError, always, nowhere, type Interval } from '../base/index.ts'
import type { Backend } from '../backends/index.ts'
import { standardFunctions, type Functions } from '../functions/index.ts'
import type { Catalog, Dialect, LogicalPlan } from '../plan/index.ts'
import type { DataScope } from '../policy/index.ts'
import { standardCatalog } from '../store/index.ts'
import { compilePlan, type CompileOptions, type CompiledPlan, type LintPolicy } from './compile.ts'
import { engineDiagnostic } from './diagnostics.ts'
import { defaultEngineLimits, type EngineLimits } from './limits.ts'
import { Query, type Clock } from './query.ts'
import { checkRange } from './range.ts'
import type { QueryResult } from './result.ts'

export interface EngineOptions {
  /** Who can run queries. The first is asked unless a query names another. */
  readonly backends: readonly Backend[]
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
  readonly range?: Interval
  /** Stops the run. */
  readonly signal?: AbortSignal
  readonly limits?: Partial<EngineLimits>
  /** `native` unless given. */
  readonly dialect?: Dialect
  /** A backend by name. */
  readonly backend?: string
  /** The table of a query that names none. */
  readonly table?: string
  /** What the caller may see of each table. */
  readonly scope?: DataScope
  /** Names of optimizer rules to leave out; `*` leaves out all. */
  readonly disabledRules?: readonly string[]
  readonly lint?: LintPolicy
  readonly disabledLints?: readonly string[]
  /** "Now" of relative times; the clock's unless given. */
  readonly nowNs?: bigint
}

const systemClock: Clock = {
  nowMs: () => performance.now(),
  nowNs: () => BigInt(Date.now()) * 1_000_000n,
}

/** Plans in, answers out: binds, scopes, optimizes, gives parts to backends, runs. Front ends stand before it. */
export class PlanEngine {
  readonly catalog: Catalog
  readonly functions: Functions
  readonly backends: readonly Backend[]
  readonly #options: EngineOptions
  readonly #upper: Backend | undefined

  constructor(options: EngineOptions) {
    this.#options = options
    this.catalog = options.catalog ?? standardCatalog
    this.functions = options.functions ?? standardFunctions
    this.backends = options.backends
    const named = (name: string): Backend | undefined => options.backends.find((backend) => backend.name === name)
    this.#upper = options.upper ?? named('columnar') ?? named('rows')
  }

  get clock(): Clock {
    return this.#options.clock ?? systemClock
  }

  /** Throws SluiceError when the plan has errors; runs nothing. */
  compilePlan(plan: LogicalPlan, options: QueryOptions = {}): CompiledPlan {
    return compilePlan(plan, this.#compileOptions(options))
  }

  /** A query of any front end, ready to run. Throws SluiceError when it has errors. */
  queryPlan(plan: LogicalPlan, options: QueryOptions = {}): QueryResult {
    const compileOptions = this.#compileOptions(options)
    const owner = this.#backend(options.backend)
    return new Query({
      compiled: compilePlan(plan, compileOptions),
      options: compileOptions,
      owner,
      upper: this.#upper ?? owner,
      clock: this.clock,
      nowNs: options.nowNs ?? this.clock.nowNs(),
      signal: options.signal,
    })
  }

  #backend(name: string | undefined): Backend {
    const found = name === undefined ? this.backends[0] : this.backends.find((backend) => backend.name === name)
    if (found !== undefined) return found
    const known = this.backends.map((backend) => backend.name)
    throw new SluiceError([engineDiagnostic('unknown-backend', { name: name ?? '', known }, nowhere)])
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
