import { SluiceError, always } from '../../base/index.ts'
import { Instant, Labels, METRIC_NAME, rowsOf, toText, type LabelPair, type Row } from '../../data/index.ts'
import { createPromql, type PromqlResult } from '../../engine/metrics/index.ts'
import type { LabelPredicate, LogicalPlan } from '../../plan/index.ts'
import type { MonitorQuery } from '../../wire/index.ts'
import { valueOfCell, type Value } from '../conditions/index.ts'
import type { TemplateSample } from '../templates/index.ts'
import type { MonitorDefinition } from './definition.ts'
import { queryColumns, type QueryColumns } from './query-columns.ts'
import { QueryFault, SeriesCollector, type QueryOutcome, type QueryOutput, type QueryPoint } from './query-output.ts'
import {
  checkPoints,
  countedRows,
  isRange,
  languageFor,
  metricGuard,
  readLogQuery,
  readMetricQuery,
  toNs,
  windowOf,
  type LogQuery,
  type QueryLocation,
  type QueryTools,
  type Window,
} from './read-query.ts'

/** One row of an answer: label set, point, and other result columns. */
export interface RowResult {
  readonly labels: Labels
  readonly point: QueryPoint
  readonly others: ReadonlyMap<string, Value>
}

const noOthers: ReadonlyMap<string, Value> = new Map()

/** Roles of the columns of a query whose rows are counted (M11). */
const COUNT_COLUMNS: QueryColumns = { labels: [], value: 'count', others: [], time: undefined }

/** A plan that returns one row for each result. */
interface ResultPlan {
  readonly plan: LogicalPlan
  readonly columns: QueryColumns
  /** True if the query does not aggregate, so that its rows are counted. */
  readonly countsRows: boolean
}

/**
 * Returns a plan that returns one row for each result, and the roles of its columns. Rows of a query without
 * aggregation are counted.
 */
export function resultPlan(plan: LogicalPlan): ResultPlan {
  const columns = queryColumns(plan)
  return columns === undefined
    ? { plan: countedRows(plan), columns: COUNT_COLUMNS, countsRows: true }
    : { plan, columns, countsRows: false }
}

/** Converts the rows of an answer. Rows with equal labels share a label set, so that its key is computed once. */
export class RowReader {
  readonly #columns: QueryColumns
  readonly #labels = new Map<string, Labels>()

  constructor(columns: QueryColumns) {
    this.#columns = columns
  }

  /** Converts a row. Its point is at `timeMs`, or at the row's own time bucket. */
  result(row: Row, timeMs: number): RowResult {
    const { value, others, time } = this.#columns
    const bucket = time === undefined ? undefined : row.get(time)
    return {
      labels: this.#labelsOf(row),
      point: {
        timeMs: bucket instanceof Instant ? Number(bucket.ns / 1_000_000n) : timeMs,
        value: valueOfCell(row.get(value) ?? null),
      },
      others:
        others.length === 0 ? noOthers : new Map(others.map((name) => [name, valueOfCell(row.get(name) ?? null)])),
    }
  }

  #labelsOf(row: Row): Labels {
    const { labels: names } = this.#columns
    const values = names.map((name) => toText(row.get(name) ?? null))
    const key = values.map((text) => `${text.length}:${text}`).join('')
    let labels = this.#labels.get(key)
    if (labels === undefined) {
      labels = Labels.from(names.map((name, i): LabelPair => [name, values[i] ?? '']))
      this.#labels.set(key, labels)
    }
    return labels
  }
}

/** Runs a log query over a range. Each row becomes a point at the end of the range or at its own time bucket. */
async function readRows(
  { table, planFor }: LogQuery,
  window: Window,
  nowMs: number,
  { engine, scope, signal }: QueryTools,
  collect: SeriesCollector,
): Promise<void> {
  const range = { startNs: toNs(window.startMs), endNs: toNs(window.endMs) }
  const { plan, columns } = resultPlan(planFor(range))
  const result = engine.queryPlan(plan, { range, table, nowNs: toNs(nowMs), scope, signal, lint: 'off' })
  const reader = new RowReader(columns)
  for await (const batch of result.batches())
    for (const row of rowsOf(batch)) {
      const { labels, point, others } = reader.result(row, window.endMs)
      collect.add(labels, point, others)
    }
}

async function runLogQuery(
  query: LogQuery,
  window: Window,
  isSeries: boolean,
  nowMs: number,
  tools: QueryTools,
): Promise<Omit<QueryOutput, 'name'>> {
  const collect = new SeriesCollector()
  const { columns, countsRows } = resultPlan(query.planFor(always))
  if (!isSeries || columns.time !== undefined) {
    await readRows(query, window, nowMs, tools, collect)
    return { series: collect.series(), countsRows }
  }
  // Buckets are aligned to the end of the window. An incomplete oldest bucket is dropped (M6).
  checkPoints(window)
  const { startMs, endMs, stepMs } = window
  for (let i = Math.floor((endMs - startMs) / stepMs); i > 0; i--) {
    const bucketEndMs = endMs - (i - 1) * stepMs
    await readRows(query, { startMs: bucketEndMs - stepMs, endMs: bucketEndMs, stepMs }, nowMs, tools, collect)
  }
  return { series: collect.series(), countsRows }
}

/** Converts the samples of an answer to results. Throws QueryFault for a string. */
export function* resultsOfAnswer(answer: PromqlResult['answer']): Generator<RowResult> {
  const result = (labels: Labels, timeMs: number, value: Value): RowResult => ({
    labels: labels.without([METRIC_NAME]),
    point: { timeMs, value },
    others: noOthers,
  })
  if (answer.type === 'string') throw new QueryFault('the expression gives a string, not a number')
  if (answer.type === 'scalar') yield result(Labels.empty, answer.timeMs, answer.value)
  else if (answer.type === 'vector')
    for (const { labels, value, histogram } of answer.samples)
      yield result(labels, answer.timeMs, histogram === undefined ? value : undefined)
  else
    for (const { labels, timesMs, values, histograms } of answer.series)
      for (const [i, timeMs] of timesMs.entries())
        yield result(labels, timeMs, histograms?.[i] === undefined ? values[i] : undefined)
}

async function runMetricQuery(
  text: string,
  window: Window,
  isSeries: boolean,
  guard: LabelPredicate | undefined,
  { engine, samples, signal }: QueryTools,
): Promise<Omit<QueryOutput, 'name'>> {
  const promql = createPromql(engine, samples, guard === undefined ? {} : { guard })
  if (isSeries) checkPoints(window)
  const times = isSeries ? { range: window } : { timeMs: window.endMs }
  const { answer } = await promql.query(text, { ...times, signal }).answer()
  const collect = new SeriesCollector()
  for (const { labels, point, others } of resultsOfAnswer(answer)) collect.add(labels, point, others)
  return { series: collect.series(), countsRows: false }
}

/**
 * Runs a query of a monitor at its scheduled time. If the query names no window, the window has the length
 * `intervalMs`. Rejects with SluiceError, and with QueryFault for an answer from which no alert can be made.
 */
export async function runQuery(
  query: MonitorQuery,
  index: number,
  nowMs: number,
  intervalMs: number,
  tools: QueryTools,
): Promise<QueryOutput> {
  const location: QueryLocation = { path: ['model', 'queries', index], member: `model.queries[${index}]` }
  const window = windowOf(query, nowMs, intervalMs)
  const language = languageFor(query, location, tools)
  if (language === 'unknown')
    throw new QueryFault(
      'raw SQL and this kind of data are not evaluated; write the query as text, PromQL or a pipeline',
    )
  const isSeries = isRange(query)
  const output =
    language === 'log'
      ? runLogQuery(readLogQuery(query, toNs(nowMs), location, tools), window, isSeries, nowMs, tools)
      : runMetricQuery(
          readMetricQuery(query, location, tools),
          window,
          isSeries,
          metricGuard(query, location, tools),
          tools,
        )
  return { name: query.name ?? '', ...(await output) }
}

/** Formats an error for users: the first diagnostic with its position, without values of rows. */
function faultText(error: unknown, index: number): string {
  if (error instanceof QueryFault) return `query ${index + 1}: ${error.message}`
  if (error instanceof SluiceError) return `query ${index + 1}: ${error.diagnostics[0]?.message ?? error.message}`
  throw error
}

/**
 * Returns the outputs of all queries of a monitor in order. If an output rejects, the first such error is the outcome.
 * Rejects only for internal errors.
 */
export async function outcomeOf(
  queries: readonly MonitorQuery[],
  outputOf: (query: MonitorQuery, index: number) => QueryOutput | Promise<QueryOutput>,
  { isTemporary }: Pick<QueryTools, 'isTemporary'> = {},
): Promise<QueryOutcome> {
  const outputs: QueryOutput[] = []
  for (const [i, query] of queries.entries()) {
    try {
      outputs.push(await outputOf(query, i))
    } catch (error) {
      const canRepeat = error instanceof SluiceError && isTemporary?.(error) === true
      return { error: faultText(error, i), ...(canRepeat ? { isTemporary: true } : {}) }
    }
  }
  return { outputs }
}

/** Runs all queries of a monitor at its scheduled time. If one fails, its error is the outcome. */
export function runQueries(
  { queries, intervalMs }: Pick<MonitorDefinition, 'queries' | 'intervalMs'>,
  nowMs: number,
  tools: QueryTools,
): Promise<QueryOutcome> {
  return outcomeOf(queries, (query, i) => runQuery(query, i, nowMs, intervalMs, tools), tools)
}

/** Prefix of a query in the log language inside a template; without it, the query is PromQL (M52). */
const LOG_PREFIX = 'logs:'

/** Converts the text of a query inside a template. */
export function templateQuery(text: string): MonitorQuery {
  const isLog = text.startsWith(LOG_PREFIX)
  return isLog
    ? { dataType: 'logs', expression: text.slice(LOG_PREFIX.length) }
    : { dataType: 'metrics', expression: text }
}

/** Returns the newest number of each label set, for templates. Throws QueryFault if the outcome is an error. */
export function samplesOfOutcome(outcome: QueryOutcome): readonly TemplateSample[] {
  if ('error' in outcome) throw new QueryFault(outcome.error)
  return outcome.outputs.flatMap(({ series }) =>
    series.flatMap(({ labels, points }) => {
      const value = points.at(-1)?.value
      return value === undefined ? [] : [{ labels, value }]
    }),
  )
}

/** Window of a log query inside a template without a `_time` filter, ms. */
export const TEMPLATE_WINDOW_MS = 60_000

/** Runs a query inside a template at the time of the evaluation. */
export async function runTemplateQuery(
  text: string,
  atMs: number,
  tools: QueryTools,
): Promise<readonly TemplateSample[]> {
  const request = { queries: [templateQuery(text)], intervalMs: TEMPLATE_WINDOW_MS }
  return samplesOfOutcome(await runQueries(request, atMs, tools))
}
