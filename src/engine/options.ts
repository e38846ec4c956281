import { Options, checkArgument, type Interval } from '../base/index.ts'
import type { Backend, StatementCompiler } from '../backends/index.ts'
import type { FunctionDefinitions, Functions } from '../functions/index.ts'
import { defaultLogLimits, type LogLimits, type Parameters } from '../lang/log/index.ts'
import type { Catalog, Dialect } from '../plan/index.ts'
import type { DataScope } from '../policy/index.ts'
import type { Arrivals, TablesInput } from '../store/index.ts'
import type { LintPolicy } from './compile.ts'
import type { Extension } from './extend.ts'
import { defaultEngineLimits, type EngineLimits } from './limits.ts'
import type { ScopeTexts } from './scope-texts.ts'

/** The time of an engine. */
export interface Clock {
  /** Returns the time for time limits and measurements, in ms. It need not be the time of day. */
  readonly nowMs: () => number
  /** Returns the current time for queries, in ns since 1970. */
  readonly nowNs: () => bigint
}

/** Options of all plans of a planner. */
export interface PlannerOptions {
  /** Default: the standard tables. */
  readonly catalog?: Catalog | undefined
  readonly functions?: FunctionDefinitions | undefined
  /** Pipes and functions of this engine only. */
  readonly extend?: Extension | undefined
  readonly limits?: Partial<EngineLimits> | undefined
  readonly clock?: Clock | undefined
  /** The default lint policy. Default: `warn`. */
  readonly lint?: LintPolicy | undefined
}

/** Tables, limits and extensions of an engine. Each has a default. */
export interface EngineOptions extends PlannerOptions {
  /** Default: the standard functions. */
  readonly functions?: Functions | undefined
  /**
   * Tables by the names that queries use: arrays of objects, functions that return objects for each query, tables of
   * `defineTable`, or `store.tables`. A query that names none reads the first one. Each query reads the current content
   * of an array; columns of unchanged values are reused.
   */
  readonly tables?: TablesInput | undefined
  /**
   * Backends that run queries. The first is the default; a query can name another. Default: one in memory over the
   * tables. Without tables and backends, queries can only be planned.
   */
  readonly backends?: readonly Backend[] | undefined
  /**
   * Backend that runs what the owner of the data cannot run, over rows from the owner. Default: the backend named
   * `columnar` or `rows`, else a new one in memory.
   */
  readonly upper?: Backend | undefined
  /**
   * Number of threads for long queries over tables of a memory store, including the calling thread. Default: 1. The
   * others start on demand, also index loaded data, and end with `close()`. The number does not affect answers. Node
   * only.
   */
  readonly threads?: number | undefined
}

/** Options of one plan. */
export interface PlanOptions {
  /** Time range `[start, end)`, applied to every scan, also in subqueries. */
  readonly range?: Interval | undefined
  readonly limits?: Partial<EngineLimits> | undefined
  /** Default: `native`. */
  readonly dialect?: Dialect | undefined
  /** The table of a query that names none. */
  readonly table?: string | undefined
  /**
   * The rows of each table that the caller may see: filters by table, such as `{ orders: 'tenant:="a"' }`, or a
   * function that returns bound predicates. Tables without a filter show no rows. An invalid filter is an error.
   */
  readonly scope?: DataScope | ScopeTexts | undefined
  /** Names of optimizer rules to skip; `*` skips all. */
  readonly disabledRules?: readonly string[] | undefined
  readonly lint?: LintPolicy | undefined
  readonly disabledLints?: readonly string[] | undefined
  /** The "now" of relative times, in ns since 1970. Default: the clock of the engine. */
  readonly nowNs?: bigint | undefined
  /**
   * Time zone of dates, times of day and buckets in the query that state none: an IANA name or an offset such as
   * `+02:00`. Default: UTC.
   */
  readonly zone?: string | undefined
  /** Values of the parameters, written `$name` in the query text. */
  readonly parameters?: Parameters | undefined
  /** Limits of a query text. */
  readonly textLimits?: Partial<LogLimits> | undefined
  /**
   * Filters, in the dialect of the query text, that rows of all scans must also match, such as those of a dashboard.
   * They are not a data scope: a query can circumvent them, and they are not verified in the plan.
   */
  readonly extraFilters?: readonly string[] | undefined
}

/** Behaviour at a limit of a run. `error`: the query throws. `partial`: the answer ends early and reports the limit. */
export type OverLimit = 'error' | 'partial'

/** Options of one query. */
export interface QueryOptions extends PlanOptions {
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined
  /** Start of the time limit, in ms of the engine's clock. Default: the first read of the answer. */
  readonly startMs?: number | undefined
  /**
   * Behaviour if a query exceeds a limit of time, memory or rows read. `error` (the default): it throws. `partial`: the
   * answer ends after the rows so far; `partial()` of the result then returns the limit.
   */
  readonly overLimit?: OverLimit | undefined
  /** Name of the backend to use. */
  readonly backend?: string | undefined
  /** Restricts tables in memory to rows received from position `next` on, and advances `next` past them. */
  readonly arrivals?: Arrivals | undefined
}

/** Options for compiling a query to SQL. */
export interface StatementOptions extends QueryOptions {
  /**
   * The compiler of the statement, such as `sqliteStatements()` of `sluice/sqlite`, which needs no database. Default:
   * the named backend, or the first one that runs statements.
   */
  readonly compiler?: StatementCompiler | undefined
}

const limits = Options.like<Partial<EngineLimits>>(defaultEngineLimits, ['batchRows'])
const lint = { words: { off: true, warn: true, enforce: true } } as const

export const extensionOptions = new Options<Extension>({
  pipes: 'list',
  scalars: 'list',
  stats: 'list',
  rules: 'list',
  lints: 'list',
})

/** Options of engines, planners and languages. They are checked against one list, so that one object works for all. */
export const engineOptions = new Options<EngineOptions>({
  tables: ['object', 'list'],
  backends: 'list',
  upper: 'object',
  threads: 'number',
  catalog: 'object',
  functions: 'object',
  extend: extensionOptions,
  limits,
  clock: new Options<Clock>({ nowMs: 'function', nowNs: 'function' }, ['nowMs', 'nowNs']),
  lint,
})

/**
 * Options of all methods. They are checked against one list, so that one object can run, explain and compile a query.
 */
const queryOptions = new Options<StatementOptions>({
  range: new Options<Interval>({ startNs: 'bigint', endNs: 'bigint' }, ['startNs', 'endNs']),
  limits,
  dialect: { words: { native: true, logsql: true } },
  table: 'string',
  // `scopeOf` checks it.
  scope: 'any',
  disabledRules: 'list',
  lint,
  disabledLints: 'list',
  nowNs: 'bigint',
  zone: 'string',
  parameters: 'object',
  textLimits: Options.like<Partial<LogLimits>>(defaultLogLimits),
  extraFilters: 'list',
  signal: 'object',
  startMs: 'number',
  overLimit: { words: { error: true, partial: true } },
  backend: 'string',
  arrivals: 'object',
  compiler: 'object',
})

export function checkQueryOptions(options: unknown): void {
  queryOptions.check(options, 'a query')
}

/** Checks the types of arguments, for JavaScript callers. Throws SluiceError `options/…`. */
export function checkQuery(text: unknown, options: unknown): void {
  checkArgument(typeof text === 'string', text, 'a query text', "engine.query('level:error', { table: 'logs' })")
  checkQueryOptions(options)
}
