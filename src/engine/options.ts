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
  /** Clock for time limits and measures, in ms; need not be the time of day. */
  readonly nowMs: () => number
  /** The "now" of queries, in ns since 1970. */
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
  /** Default of the lint policy: `warn`. */
  readonly lint?: LintPolicy | undefined
}

/** Tables, limits and extensions of an engine; each has a default. */
export interface EngineOptions extends PlannerOptions {
  /** Default: the standard functions. */
  readonly functions?: Functions | undefined
  /**
   * Tables by the names that queries use: arrays of objects, functions that return objects for each query, tables of
   * `defineTable`, or `store.tables`. A query that names none reads the first. Each query reads an array as it is, with
   * all changes in place; columns of unchanged values are reused.
   */
  readonly tables?: TablesInput | undefined
  /**
   * Backends that run queries. The first is the default; a query can name another. Default: one in memory over the
   * tables. With neither tables nor backends, queries are only planned.
   */
  readonly backends?: readonly Backend[] | undefined
  /**
   * Backend that runs what the owner of the data cannot, over rows that the owner gives. Default: the one called
   * `columnar` or `rows`, else one in memory.
   */
  readonly upper?: Backend | undefined
  /**
   * Number of threads for long queries over tables of a memory store, the calling thread included. Default: 1. The
   * others start on demand, index what is loaded, and end with `close()`. Answers are equal for any number. Node only.
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
  /** Table of a query that names none. */
  readonly table?: string | undefined
  /**
   * Rows that the caller may see of each table: filters by table, such as `{ orders: 'tenant:="a"' }`, or a function
   * that returns bound predicates. A table without a filter shows no row. A filter that cannot be read is an error.
   */
  readonly scope?: DataScope | ScopeTexts | undefined
  /** Names of optimizer rules to skip; `*` skips all. */
  readonly disabledRules?: readonly string[] | undefined
  readonly lint?: LintPolicy | undefined
  readonly disabledLints?: readonly string[] | undefined
  /** The "now" of relative times, in ns since 1970. Default: the clock of the engine. */
  readonly nowNs?: bigint | undefined
  /**
   * Zone of dates, times of day and buckets that name none: an IANA name or an offset such as `+02:00`. Default: UTC.
   */
  readonly zone?: string | undefined
  /** Values of the parameters, written `$name` in the query text. */
  readonly parameters?: Parameters | undefined
  /** Limits of a query text. */
  readonly textLimits?: Partial<LogLimits> | undefined
  /**
   * Filters in the dialect of the query text that the rows of all scans must match too, such as those of a dashboard.
   * They are not a data scope: a query can see around them, and plans do not prove them.
   */
  readonly extraFilters?: readonly string[] | undefined
}

/** Behaviour at a limit of a run: throw, or end the answer early and report it. */
export type OverLimit = 'error' | 'partial'

/** Options of one query. */
export interface QueryOptions extends PlanOptions {
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined
  /** Start of the time limit, in ms of the engine's clock. Default: when the answer is first read. */
  readonly startMs?: number | undefined
  /**
   * Behaviour at a limit of time, memory or rows read: `error` (default) throws; `partial` ends the answer with the
   * rows so far, and `partial()` of the result names the limit.
   */
  readonly overLimit?: OverLimit | undefined
  /** Name of the backend to use. */
  readonly backend?: string | undefined
  /** Reads only rows that tables in memory received from `next` on, and moves `next` past them. */
  readonly arrivals?: Arrivals | undefined
}

/** How a query is written as SQL. */
export interface StatementOptions extends QueryOptions {
  /**
   * Compiler of the statement, such as `sqliteStatements()` of `sluice/sqlite`, which needs no database. Default: the
   * named backend, or the first that runs statements.
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

/** Options of engines, planners and languages: one list, so that one object works for all. */
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

/** Options of all verbs: one list, so that one object can run, explain and compile a query. */
const queryOptions = new Options<StatementOptions>({
  range: new Options<Interval>({ startNs: 'bigint', endNs: 'bigint' }, ['startNs', 'endNs']),
  limits,
  dialect: { words: { native: true, logsql: true } },
  table: 'string',
  // Scopes have a check of their own.
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

/** Checks argument types, for callers in JavaScript. Throws SluiceError `options/…`. */
export function checkQuery(text: unknown, options: unknown): void {
  checkArgument(typeof text === 'string', text, 'a query text', "engine.query('level:error', { table: 'logs' })")
  checkQueryOptions(options)
}
