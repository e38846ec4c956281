import { Budget, nowhere } from '../../base/index.ts'
import {
  Instant,
  batchOfRows,
  compareText,
  field,
  rowsOf,
  type RecordBatch,
  type Row,
  type Schema,
} from '../../data/index.ts'
import {
  defaultEngineLimits,
  type CompiledPlan,
  type Engine,
  type Planner,
  type PlanOptions,
  type QueryOptions,
} from '../../engine/index.ts'
import { runLogqlMetric } from '../../engine/logql/index.ts'
import { rowsOfSeries } from '../../engine/metrics/index.ts'
import { lowerMetric, lowerSelector, type LogqlTable, type MetricExpr } from '../../lang/logql/index.ts'
import { column, countRows, type LogicalPlan } from '../../plan/index.ts'
import { evaluationTimes, type EvaluationArguments } from '../options/evaluation-times.ts'
import type { Terminal } from '../terminal.ts'
import { logqlTable } from './entries-text.ts'
import type { QueryText, ShownAnswer } from './query-text.ts'

const NEWEST = 'newest'

/** Returns a plan that reads the time of the newest entry of a table. */
function newestPlan(table: LogqlTable): LogicalPlan {
  const call = { ...countRows(nowhere), fn: 'max', args: [column(table.timeField)] }
  const aggregates = [{ name: NEWEST, type: 'time', call }] as const
  return { kind: 'aggregate', input: lowerSelector(undefined, table), keys: [], aggregates, origin: nowhere }
}

/** Returns the columns of series: time, labels by name, value. */
function seriesSchema(rows: readonly Row[]): Schema {
  const names = new Set(rows.flatMap((row) => [...row.keys()]))
  const labels = [...names].filter((name) => name !== '_time' && name !== 'value').toSorted(compareText)
  return {
    fields: [field('_time', 'time'), ...labels.map((name) => field(name, 'any', 'named')), field('value', 'any')],
    isOpen: false,
  }
}

/** Converts series to rows of an answer. */
export function seriesAnswer(rows: readonly Row[]): Omit<ShownAnswer, 'result'> {
  const schema = seriesSchema(rows)
  return {
    schema,
    // oxlint-disable-next-line require-await
    async *batches(): AsyncGenerator<RecordBatch> {
      if (rows.length > 0) yield batchOfRows(schema, rows)
    },
  }
}

/**
 * A LogQL metric query over a table, at one time or at each step. Over files, the default time is that of the newest
 * entry.
 */
export class MetricText implements QueryText {
  readonly isWhole = true
  readonly ofServer: QueryText['ofServer']
  readonly #query: MetricExpr
  readonly #options: EvaluationArguments & { readonly isOfFiles: boolean }
  readonly #terminal: Terminal

  constructor(
    query: MetricExpr,
    options: EvaluationArguments & { readonly isOfFiles: boolean },
    terminal: Terminal,
    ofServer: QueryText['ofServer'],
  ) {
    this.#query = query
    this.#options = options
    this.#terminal = terminal
    this.ofServer = ofServer
  }

  compile(planner: Planner, settings: PlanOptions): CompiledPlan {
    return planner.compilePlan(lowerSelector(undefined, logqlTable(planner.catalog.tables, settings.table)), settings)
  }

  async answer(engine: Engine, _: CompiledPlan, settings: QueryOptions): Promise<ShownAnswer> {
    const table = logqlTable(engine.catalog.tables, settings.table)
    const { range: __, ...others } = settings
    const { signal } = settings
    const limits = { ...defaultEngineLimits, ...settings.limits }
    const budget = new Budget(limits, () => this.#terminal.nowMs(), signal)
    const times = evaluationTimes(this.#options, await this.#newestMs(engine, table, others), this.#terminal)
    const { answer } = await runLogqlMetric(lowerMetric(this.#query, table), times, {
      logs: { read: (plan, range) => engine.queryPlan(plan, { ...others, range }).batches() },
      budget,
    })
    return { ...seriesAnswer(rowsOfSeries(answer)), result: undefined }
  }

  async #newestMs(engine: Engine, table: LogqlTable, settings: QueryOptions): Promise<number> {
    const nowMs = Number(this.#terminal.nowNs() / 1_000_000n)
    const { isOfFiles, time, to } = this.#options
    if (!isOfFiles || time !== undefined || to !== undefined) return nowMs
    let newestMs = nowMs
    for await (const batch of engine.queryPlan(newestPlan(table), settings).batches())
      for (const row of rowsOf(batch)) {
        const newest = row.get(NEWEST)
        // Rounded up to whole ms: a range ends at this time and must include the entry.
        if (newest instanceof Instant) newestMs = Number((newest.ns + 999_999n) / 1_000_000n)
      }
    return newestMs
  }
}
