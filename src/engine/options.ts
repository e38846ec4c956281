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

export interface Clock {
  /** Milliseconds for time limits and measures; need not be the time of day. */
  readonly nowMs: () => number
  /** The query's "now": nanoseconds since the epoch. */
  readonly nowNs: () => bigint
}

export interface PlannerOptions {
  /** The standard tables unless given. */
  readonly catalog?: Catalog | undefined
  readonly functions?: FunctionDefinitions | undefined
  /** Pipes and functions of the caller's own, for this engine alone. */
  readonly extend?: Extension | undefined
  readonly limits?: Partial<EngineLimits> | undefined
  readonly clock?: Clock | undefined
  /** Unless a query says otherwise; `warn`. */
  readonly lint?: LintPolicy | undefined
}

export interface EngineOptions extends PlannerOptions {
  /** The standard functions unless given. */
  readonly functions?: Functions | undefined
  /**
   * What queries read, by the name that they use: arrays of objects, functions that give objects anew for each query,
   * tables of `defineTable`, or `store.tables`. A query that names none reads the first. Each query reads an array as it stands: rows
   * that were added, replaced, removed or changed in place are seen, and columns of unchanged values are reused.
   */
  readonly tables?: TablesInput | undefined
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

export interface PlanOptions {
  /** ANDed into every scan, subqueries included; `[start, end)`. */
  readonly range?: Interval | undefined
  readonly limits?: Partial<EngineLimits> | undefined
  /** `native` unless given. */
  readonly dialect?: Dialect | undefined
  /** The table of a query that names none. */
  readonly table?: string | undefined
  /**
   * What the caller may see of each table: filters by table, as in `{ orders: 'tenant:="a"' }`, or a function that gives
   * bound predicates. Tables that filters do not name show no row. A filter that cannot be read is an error.
   */
  readonly scope?: DataScope | ScopeTexts | undefined
  /** Names of optimizer rules to leave out; `*` leaves out all. */
  readonly disabledRules?: readonly string[] | undefined
  readonly lint?: LintPolicy | undefined
  readonly disabledLints?: readonly string[] | undefined
  /** "Now" of relative times; the clock's unless given. */
  readonly nowNs?: bigint | undefined
  /**
   * The zone of dates, times of day and buckets in the query text that name none: of the IANA database, or an offset such as `+02:00`. UTC
   * unless given.
   */
  readonly zone?: string | undefined
  /** Values of the parameters that the query text names as `$name`. */
  readonly parameters?: Parameters | undefined
  /** What a query text may hold. */
  readonly textLimits?: Partial<LogLimits> | undefined
  /**
   * Filters in the dialect of the query text, which rows of it and of all queries inside must meet as well: what a
   * dashboard adds. No data scope: a query's own text can be seen beside them, and plans do not prove them.
   */
  readonly extraFilters?: readonly string[] | undefined
}

/** What a query does that meets a limit of its run: ends with an error, or gives what it has and says so. */
export type OverLimit = 'error' | 'partial'

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

/** What an engine, a planner or a language may be made with: one list, so that the same object can make either. */
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

/** What a query may be asked with, by every verb: one list, so that the same object can run, explain and compile it. */
const queryOptions = new Options<StatementOptions>({
  range: new Options<Interval>({ startNs: 'bigint', endNs: 'bigint' }, ['startNs', 'endNs']),
  limits,
  dialect: { words: { native: true, logsql: true } },
  table: 'string',
  // The scope's own check says what a scope is.
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

/** Throws SluiceError `options/…` for a call that only JavaScript allows. */
export function checkQuery(text: unknown, options: unknown): void {
  checkArgument(typeof text === 'string', text, 'a query text', "engine.query('level:error', { table: 'logs' })")
  checkQueryOptions(options)
}
