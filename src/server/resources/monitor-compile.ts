import {
  SluiceError,
  always,
  atPath,
  isError,
  throwIfErrors,
  type Diagnostic,
  type JsonPath,
} from '../../base/index.ts'
import type { Engine } from '../../engine/index.ts'
import { lowerSearch } from '../../lang/json/index.ts'
import { lowerPromql, parsePromqlOrThrow, pipelineToPromql } from '../../lang/promql/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'
import { checkCompiles, type ReadsText } from '../../resources/index.ts'
import type { Monitor, MonitorQuery } from '../../wire/index.ts'
import { readFilter } from '../search/read-text.ts'
import { functionNamesOf } from '../../engine/pipelines/index.ts'
import { predicateOf } from '../search/search-service.ts'
import type { ResourceServices } from './resource-services.ts'

const TABLES: ReadonlyMap<string, string> = new Map([
  ['logs', 'logs'],
  ['traces', 'spans'],
  ['apm', 'spans'],
  ['events', 'events'],
  ['workloads', 'workloads'],
  ['clusters', 'clusters'],
])

type Language = 'log' | 'promql' | 'either' | 'unknown'

/** Language of an expression. Raw SQL and unknown kinds of data are stored unchecked. */
function languageOf({ dataType, datasourceType }: MonitorQuery): Language {
  const source = datasourceType?.trim().toLowerCase() ?? ''
  if (source === 'clickhouse') return 'unknown'
  const kind = dataType?.trim().toLowerCase() ?? ''
  if (kind === 'metrics' || (kind === '' && (source === 'prometheus' || source === 'metrics'))) return 'promql'
  if (kind === '') return source === '' ? 'either' : 'unknown'
  return TABLES.has(kind) ? 'log' : 'unknown'
}

/** Moves diagnostics to the positions in the monitor's body. */
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

interface Place {
  readonly base: JsonPath
  /** Name in the error envelope. */
  readonly member: string
  readonly readsText: ReadsText
}

function compileLog(engine: Engine, query: MonitorQuery, { base, member, readsText }: Place): void {
  const table = TABLES.get(query.dataType?.trim().toLowerCase() ?? '') ?? 'logs'
  const options = { dialect: 'native', nowNs: engine.clock.nowNs(), table } as const
  const { expression, filters, sqlPipeline, conditions } = query
  if (expression !== undefined) {
    readsText(`${member}.expression`, expression)
    engine.plan(expression, { table, lint: 'off', nowNs: options.nowNs })
  }
  let filter: LogicalPlan | undefined
  if (filters !== undefined) {
    readsText(`${member}.filters`, filters)
    const textField = engine.catalog.tables.get(table)?.textField
    filter = readFilter(filters, 'filters', { ...options, textField })
    engine.compilePlan(filter, { table, lint: 'off' })
  }
  if (sqlPipeline === undefined && conditions === undefined) return
  try {
    const { plan, diagnostics } = lowerSearch({
      table,
      query: undefined,
      filters: filter === undefined ? undefined : predicateOf(filter),
      sources: conditions,
      pipeline: sqlPipeline,
      range: always,
      functions: functionNamesOf(engine.functions),
    })
    throwIfErrors(diagnostics)
    engine.compilePlan(plan, { table, lint: 'off' })
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    throw new SluiceError(relocated(error.diagnostics, base, { pipeline: 'sqlPipeline', sources: 'conditions' }))
  }
}

function compileMetrics({ expression, pipeline, conditions }: MonitorQuery, place: Place): void {
  const { base, member, readsText } = place
  if (expression !== undefined) {
    readsText(`${member}.expression`, expression)
    lowerPromql(parsePromqlOrThrow(expression))
  }
  if (pipeline === undefined) return
  const { ast, diagnostics } = pipelineToPromql({ pipeline, conditions })
  throwIfErrors(relocated(diagnostics, base, { Pipeline: 'pipeline', Conditions: 'conditions' }))
  if (ast !== undefined) lowerPromql(ast)
}

/** An expression of unknown language is whatever it parses as; if nothing, the log language reports the error. */
function compileEither(engine: Engine, query: MonitorQuery, place: Place): void {
  if (query.pipeline !== undefined) compileMetrics({ ...query, expression: undefined }, place)
  try {
    compileLog(engine, query, place)
  } catch (error) {
    try {
      lowerPromql(parsePromqlOrThrow(query.expression ?? ''))
    } catch {
      throw error
    }
  }
}

/** Throws a ResourceError for a monitor that does not compile on the caller's backend. */
export function monitorCheck(
  engineOf: (backend: string | undefined) => Engine,
): NonNullable<ResourceServices['checkMonitor']> {
  return (monitor, { backend, readsText }) =>
    checkCompiles(monitor, () => compileMonitor(engineOf(backend), monitor, readsText))
}

/** Compiles the queries of a monitor. Throws SluiceError for the first error. */
function compileMonitor(engine: Engine, monitor: Monitor, readsText: ReadsText): void {
  monitor.model?.queries?.forEach((query, i) => {
    const place: Place = { base: ['model', 'queries', i], member: `model.queries[${i}]`, readsText }
    try {
      const language = languageOf(query)
      if (language === 'log') compileLog(engine, query, place)
      else if (language === 'promql') compileMetrics(query, place)
      else if (language === 'either') compileEither(engine, query, place)
    } catch (error) {
      if (error instanceof SluiceError) throw new SluiceError(error.diagnostics.filter(isError))
      throw error
    }
  })
}
