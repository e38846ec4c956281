import {
  SluiceError,
  atPath,
  always,
  isError,
  nowhere,
  throwIfErrors,
  type Diagnostic,
  type Interval,
  type JsonPath,
} from '../../base/index.ts'
import type { Engine } from '../../engine/index.ts'
import { functionNamesOf } from '../../engine/pipelines/index.ts'
import { lowerSearch } from '../../lang/json/index.ts'
import { matchersOf, parsePromqlOrThrow, pipelineToPromql, printPromql } from '../../lang/promql/index.ts'
import { countRows, type Expr, type LabelPredicate, type LogicalPlan } from '../../plan/index.ts'
import type { DataScope } from '../../policy/index.ts'
import type { SampleSource } from '../../store/index.ts'
import type { MonitorQuery } from '../../wire/index.ts'
import { QueryFault } from './query-output.ts'
import { durationMs, relativeRange } from './window.ts'

/** Access to the data of one backend with the permissions of the monitor's author. */
export interface QueryTools {
  readonly engine: Engine
  readonly samples: SampleSource
  readonly scope: DataScope | undefined
  /** Data scope over samples; `undefined` for all samples. */
  readonly guard: LabelPredicate | undefined
  /** Parses a filter text over a table. Throws SluiceError for errors and for pipes. */
  readonly readFilter: (text: string, table: string, nowNs: bigint) => Expr
  /** Parses a filter text over labels. Throws SluiceError. */
  readonly readLabelFilter: (text: string) => LabelPredicate
  /** Called with a member's name and text before the text is parsed, so that errors can show the text. */
  readonly readsText?: ((member: string, text: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** True if a retry may succeed, for example because a database is unreachable. Default: never. */
  readonly isTemporary?: ((fault: SluiceError) => boolean) | undefined
}

/** Position of a query within the body of its monitor. */
export interface QueryLocation {
  readonly path: JsonPath
  /** The path as text, such as `model.queries[0]`. */
  readonly member: string
}

/** Tables by the kind of data that a query names. */
const TABLES: ReadonlyMap<string, string> = new Map([
  ['logs', 'logs'],
  ['traces', 'spans'],
  ['apm', 'spans'],
  ['events', 'events'],
  ['workloads', 'workloads'],
  ['clusters', 'clusters'],
])

type Language = 'log' | 'promql' | 'either' | 'unknown'

/**
 * Returns the language of a query. A query with raw SQL or an unknown kind of data can be stored, but evaluating it is
 * an error.
 */
function languageOf({ dataType, datasourceType }: MonitorQuery): Language {
  const source = datasourceType?.trim().toLowerCase() ?? ''
  if (source === 'clickhouse') return 'unknown'
  const kind = dataType?.trim().toLowerCase() ?? ''
  if (kind === 'metrics' || (kind === '' && (source === 'prometheus' || source === 'metrics'))) return 'promql'
  if (kind === '') return source === '' ? 'either' : 'unknown'
  return TABLES.has(kind) ? 'log' : 'unknown'
}

/** Name of the table of samples in data scopes. */
const SAMPLES = 'samples'

/**
 * Returns the tables that a monitor's queries may read. A query that does not name its kind of data may read two
 * tables.
 */
export function monitorTables(queries: readonly MonitorQuery[]): readonly string[] {
  const tables = queries.flatMap((query) => {
    const rows = TABLES.get(query.dataType?.trim().toLowerCase() ?? '') ?? 'logs'
    const language = languageOf(query)
    return language === 'promql' ? [SAMPLES] : language === 'either' ? [rows, SAMPLES] : [rows]
  })
  return [...new Set(tables)]
}

/** Maps the positions of diagnostics in a part of a query to positions in the monitor's body. */
function relocated(
  diagnostics: readonly Diagnostic[],
  base: JsonPath,
  members: Readonly<Record<string, string>>,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { origin } = diagnostic
    if (origin.kind !== 'json') return origin.kind === 'text' ? diagnostic : { ...diagnostic, origin: atPath(base) }
    const [first, ...rest] = origin.path
    const named = typeof first === 'string' && Object.hasOwn(members, first) ? members[first] : undefined
    return { ...diagnostic, origin: atPath([...base, ...(named === undefined ? [] : [named]), ...rest]) }
  })
}

export interface LogQuery {
  readonly table: string
  /** Returns the unbound plan over a given range. */
  readonly planFor: (range: Interval) => LogicalPlan
}

/** Combines text, filters, conditions and pipeline of a row query into one plan. Throws SluiceError. */
export function readLogQuery(
  query: MonitorQuery,
  nowNs: bigint,
  { path, member }: QueryLocation,
  tools: QueryTools,
): LogQuery {
  const { engine, readsText } = tools
  const table = TABLES.get(query.dataType?.trim().toLowerCase() ?? '') ?? 'logs'
  const { expression, filters, sqlPipeline, conditions } = query
  if (expression !== undefined) readsText?.(`${member}.expression`, expression)
  const text = expression === undefined ? undefined : engine.planOfText(expression, { table, nowNs }).plan
  if (filters !== undefined) readsText?.(`${member}.filters`, filters)
  const predicate = filters === undefined ? undefined : tools.readFilter(filters, table, nowNs)
  const planFor = (range: Interval): LogicalPlan => {
    const { plan, diagnostics } = lowerSearch({
      table,
      query: text,
      filters: predicate,
      sources: conditions,
      pipeline: sqlPipeline,
      range,
      functions: functionNamesOf(engine.functions),
    })
    throwIfErrors(relocated(diagnostics, path, { pipeline: 'sqlPipeline', sources: 'conditions' }))
    return plan
  }
  return { table, planFor }
}

/** Returns the PromQL text of a query, wrapped in its rollup. Throws SluiceError. */
export function readMetricQuery(
  query: MonitorQuery,
  { path, member }: QueryLocation,
  { readsText }: QueryTools,
): string {
  const { expression, pipeline, conditions, rollup } = query
  let text = expression
  if (pipeline !== undefined) {
    const { ast, diagnostics } = pipelineToPromql({ pipeline, conditions })
    throwIfErrors(relocated(diagnostics, path, { Pipeline: 'pipeline', Conditions: 'conditions' }))
    if (ast !== undefined) text = printPromql(ast)
  } else if (text !== undefined) {
    readsText?.(`${member}.expression`, text)
    parsePromqlOrThrow(text)
  }
  if (text === undefined) throw new QueryFault('the query has neither an expression nor a pipeline')
  const overMs = rollupMs(query)
  if (rollup?.function === undefined || overMs === undefined) return text
  const wrapped = `${rollup.function}_over_time((${text})[${overMs}ms:])`
  parsePromqlOrThrow(wrapped)
  return wrapped
}

/**
 * Converts filters and conditions of a metric query to matchers for all selectors, in addition to the data scope.
 * Throws SluiceError.
 */
export function metricGuard(
  query: MonitorQuery,
  { path, member }: QueryLocation,
  tools: QueryTools,
): LabelPredicate | undefined {
  const parts: LabelPredicate[] = tools.guard === undefined ? [] : [tools.guard]
  if (query.filters !== undefined) {
    tools.readsText?.(`${member}.filters`, query.filters)
    parts.push(tools.readLabelFilter(query.filters))
  }
  const { matchers, diagnostics } = matchersOf(query.conditions, [...path, 'conditions'])
  throwIfErrors(diagnostics)
  parts.push(...matchers.map((matcher): LabelPredicate => ({ kind: 'matcher', matcher })))
  return parts.length === 0 ? undefined : { kind: 'all', args: parts }
}

function checkLog(query: MonitorQuery, location: QueryLocation, tools: QueryTools): void {
  const { table, planFor } = readLogQuery(query, 0n, location, tools)
  tools.engine.compilePlan(planFor(always), { table, lint: 'off' })
}

/**
 * Returns the language of a query. A query that does not name its kind is a metric query in two cases: it has a metric
 * pipeline, or it parses as PromQL and not as a log query. If neither parses, throws the error of the log language.
 */
export function languageFor(
  query: MonitorQuery,
  location: QueryLocation,
  tools: QueryTools,
): 'log' | 'promql' | 'unknown' {
  const language = languageOf(query)
  if (language !== 'either') return language
  if (query.pipeline !== undefined) return 'promql'
  try {
    checkLog(query, location, tools)
    return 'log'
  } catch (error) {
    try {
      parsePromqlOrThrow(query.expression ?? '')
    } catch {
      throw error
    }
    return 'promql'
  }
}

/** Compiles a query as far as its kind is known, without reading data. Throws SluiceError. */
export function checkQuery(query: MonitorQuery, location: QueryLocation, tools: QueryTools): void {
  try {
    const language = languageFor(query, location, tools)
    if (language === 'log') checkLog(query, location, tools)
    if (language !== 'promql') return
    metricGuard(query, location, tools)
    if (query.expression !== undefined || query.pipeline !== undefined) readMetricQuery(query, location, tools)
  } catch (error) {
    throw error instanceof SluiceError ? new SluiceError(error.diagnostics.filter(isError)) : error
  }
}

/** Returns `rollup.time` in ms, from a duration or a number of seconds; `undefined` if the query has no such member. */
function rollupMs({ rollup }: MonitorQuery): number | undefined {
  const time = rollup?.time
  return typeof time === 'number' ? time * 1000 : durationMs(time)
}

/** Time range and step of a query at one evaluation, Unix ms. */
export interface Window {
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
}

export function windowOf(query: MonitorQuery, nowMs: number, intervalMs: number): Window {
  const { relativeTimerange, instantRollup, evaluationDelay = 0 } = query
  const rollup = rollupMs(query)
  const instant = durationMs(instantRollup)
  const { fromMs, toMs } = relativeRange(relativeTimerange, instant ?? rollup ?? intervalMs)
  const endMs = nowMs + toMs - evaluationDelay * 1000
  const isInstant = !isRange(query)
  const startMs = isInstant && instant !== undefined ? endMs - instant : nowMs + fromMs - evaluationDelay * 1000
  return { startMs, endMs, stepMs: rollup ?? instant ?? intervalMs }
}

export function isRange({ queryType }: MonitorQuery): boolean {
  return queryType === 'range'
}

/** Maximum number of points in a series; a longer range is an error of the monitor. */
export const MAX_POINTS = 1000

export function checkPoints({ startMs, endMs, stepMs }: Window): void {
  if ((endMs - startMs) / stepMs <= MAX_POINTS) return
  throw new QueryFault(
    `the range has more than ${MAX_POINTS} points; make \`relativeTimerange\` shorter or \`rollup.time\` longer`,
  )
}

export function toNs(ms: number): bigint {
  return BigInt(Math.round(ms)) * 1_000_000n
}

/** Adds an aggregation that counts rows. */
export function countedRows(plan: LogicalPlan): LogicalPlan {
  const call = { name: 'count', call: countRows(nowhere), type: 'number' } as const
  return { kind: 'aggregate', input: plan, keys: [], aggregates: [call], origin: nowhere }
}
