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

/** The clock of an engine. */
export interface Clock {
  /** Returns the time for time limits and measurements, ms. Its zero point may be any time. */
  readonly nowMs: () => number
  /** Returns the current time for queries, in ns since 1970. */
  readonly nowNs: () => bigint
}

/** Options of a planner, which apply to all its plans. */
export interface PlannerOptions {
  /** Declared tables and their fields. Default: the standard tables. */
  readonly catalog?: Catalog | undefined
  readonly functions?: FunctionDefinitions | undefined
  /** User-defined pipes and functions, for this engine only. */
  readonly extend?: Extension | undefined
  readonly limits?: Partial<EngineLimits> | undefined
  readonly clock?: Clock | undefined
  /** Lint policy of queries that specify none. Default: `warn`. */
  readonly lint?: LintPolicy | undefined
}

/** Options of an engine: tables, limits and extensions. Each has a default. */
export interface EngineOptions extends PlannerOptions {
  /** Functions with their code. Default: the standard functions. */
  readonly functions?: Functions | undefined
  /**
   * Tables, by the names that queries use: arrays of objects, functions that return objects for each query, tables of
   * `defineTable`, or `store.tables`. A query without a table name reads the first one. Each query reads the current
   * content of an array; columns are reused while the values are unchanged.
   */
  readonly tables?: TablesInput | undefined
  /**
   * Backends that run queries. The first one is the default; a query can name another. Default: one in-memory backend
   * over the tables. Without tables and backends, queries can only be planned.
   */
  readonly backends?: readonly Backend[] | undefined
  /**
   * Backend that runs what the owner of the data cannot run, over rows from the owner. Default: the backend named
   * `columnar` or `rows`, else a new in-memory backend.
   */
  readonly upper?: Backend | undefined
  /**
   * Number of threads for long queries over tables of a memory store, including the calling thread. Default: 1.
   * Additional threads start on demand, also index loaded data, and end with `close()`. The number does not affect
   * answers. Node only.
   */
  readonly threads?: number | undefined
}

/** Options of one plan. */
export interface PlanOptions {
  /** Time range `[start, end)`, applied to every scan, including those of subqueries. */
  readonly range?: Interval | undefined
  readonly limits?: Partial<EngineLimits> | undefined
  /** Dialect of the query text. Default: `native`. */
  readonly dialect?: Dialect | undefined
  /** Name of the table that a query reads if it names none. */
  readonly table?: string | undefined
  /**
   * Restricts the rows of each table that the caller may see. Either filters by table, such as `{ orders: 'tenant:="a"'
   * }`, or a function that returns bound predicates. Tables without a filter show no rows. An invalid filter is an
   * error.
   */
  readonly scope?: DataScope | ScopeTexts | undefined
  /** Names of optimizer rules to skip; `*` skips all. */
  readonly disabledRules?: readonly string[] | undefined
  readonly lint?: LintPolicy | undefined
  readonly disabledLints?: readonly string[] | undefined
  /** Current time for relative times, ns since 1970. Default: the time of the engine's clock. */
  readonly nowNs?: bigint | undefined
  /**
   * Time zone of dates, times of day and buckets for which the query specifies none: an IANA name or an offset such as
   * `+02:00`. Default: UTC.
   */
  readonly zone?: string | undefined
  /** Values of the parameters, written `$name` in the query text. */
  readonly parameters?: Parameters | undefined
  /** Limits on a query text. */
  readonly textLimits?: Partial<LogLimits> | undefined
  /**
   * Further filters that the rows of all scans must match, in the dialect of the query text. For example, the filters
   * of a dashboard. They are no data scope: a query can circumvent them, and the plan is not verified to contain them.
   */
  readonly extraFilters?: readonly string[] | undefined
}

/**
 * Behaviour of a run at a limit. `error`: the query throws. `partial`: the answer ends early and reports the limit.
 */
export type OverLimit = 'error' | 'partial'

/** Options of one query. */
export interface QueryOptions extends PlanOptions {
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined
  /** Start of the time limit, ms of the engine's clock. Default: the time at which the answer is first read. */
  readonly startMs?: number | undefined
  /**
   * Behaviour of a query that exceeds a limit of time, memory or rows read. `error` (the default): the query throws.
   * `partial`: the answer ends after the rows so far, and `partial()` of the result returns the limit.
   */
  readonly overLimit?: OverLimit | undefined
  /** Name of the backend to use. */
  readonly backend?: string | undefined
  /** Restricts in-memory tables to rows received from position `next` on. The query advances `next` past these rows. */
  readonly arrivals?: Arrivals | undefined
}

/** Options for compiling a query to a SQL statement. */
export interface StatementOptions extends QueryOptions {
  /**
   * Compiler of the statement. For example, `sqliteStatements()` of `sluice/sqlite` needs no database. Default: the
   * named backend, or the first backend that runs statements.
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

/**
 * Options of engines, planners and languages. All are checked against one list, so that one object can be passed to
 * each of them.
 */
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
 * Options of all methods. All are checked against one list, so that one object can be used to run, explain and compile
 * a query.
 */
const queryOptions = new Options<StatementOptions>({
  range: new Options<Interval>({ startNs: 'bigint', endNs: 'bigint' }, ['startNs', 'endNs']),
  limits,
  dialect: { words: { native: true, logsql: true } },
  table: 'string',
  // `scopeOf` checks the type.
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
