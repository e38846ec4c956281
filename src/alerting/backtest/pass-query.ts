import { MS_NS, always } from '../../base/index.ts'
import { Instant, rowsOf, type Row } from '../../data/index.ts'
import type { Engine } from '../../engine/index.ts'
import { createPromql } from '../../engine/metrics/index.ts'
import { fingerprint, type LogicalPlan } from '../../plan/index.ts'
import type { MonitorQuery } from '../../wire/index.ts'
import {
  MAX_POINTS,
  QueryFault,
  RowReader,
  isRange,
  languageFor,
  metricGuard,
  readLogQuery,
  readMetricQuery,
  resultPlan,
  resultsOfAnswer,
  toNs,
  windowOf,
  type QueryLocation,
  type QueryTools,
  type RowResult,
  type Window,
} from '../monitors/index.ts'
import type { Pass, PointGrid } from './point-grid.ts'
import { bucketedPlan, planOfNoRows, rangePlan, type RangePlan } from './range-plan.ts'

/** Receives a result and the time of its point, Unix ms. */
type Add = (atMs: number, result: RowResult) => void

/** A query that can answer many rounds at once, because the points that it needs are equally spaced. */
export interface PassQuery {
  readonly grid: PointGrid
  /** Runs one range query. Rejects with SluiceError and QueryFault. */
  readonly read: (pass: Pass, add: Add) => Promise<void>
  /** Results at a point for which the query finds no rows. */
  readonly ofNoRows: readonly RowResult[]
  readonly countsRows: boolean
}

/** First and last round, Unix ms, and the interval between rounds. */
export interface RoundRange {
  readonly firstMs: number
  readonly lastMs: number
  readonly intervalMs: number
}

function logGrid({ startMs, endMs, stepMs }: Window, isSeries: boolean): PointGrid {
  if (!isSeries) return { lastMs: endMs, stepMs: endMs - startMs, count: 1 }
  return { lastMs: endMs, stepMs, count: Math.floor((endMs - startMs) / stepMs) }
}

function metricGrid({ startMs, endMs, stepMs }: Window, isSeries: boolean, intervalMs: number): PointGrid {
  if (!isSeries) return { lastMs: endMs, stepMs: intervalMs, count: 1 }
  const steps = Math.floor((endMs - startMs) / stepMs)
  return { lastMs: startMs + steps * stepMs, stepMs, count: steps + 1 }
}

/** True if the query has a function that divides by the length of the time range, such as `rate()`. */
function dividesByRange({ aggregate }: RangePlan, { functions }: Engine): boolean {
  return aggregate.aggregates.some(({ call }) => functions.stats.get(call.fn)?.dependsOnTime === true)
}

/** True if filters of the query limit its time range, so that the window of a round may be shortened. */
function hasOwnRange(plan: LogicalPlan, table: string, engine: Engine): boolean {
  const { timeRange } = engine.compilePlan(plan, { table, lint: 'off' })
  return timeRange.startNs !== always.startNs || timeRange.endNs !== always.endNs
}

async function logPassQuery(
  query: MonitorQuery,
  location: QueryLocation,
  window: Window,
  { firstMs, lastMs }: RoundRange,
  tools: QueryTools,
): Promise<PassQuery | undefined> {
  const { engine, scope, signal } = tools
  const { table, planFor } = readLogQuery(query, toNs(firstMs), location, tools)
  // Relative times only move forward. So if the plan is equal at both ends of the range, it is equal in between.
  const atEnd = readLogQuery(query, toNs(lastMs), location, tools)
  if (fingerprint(planFor(always)) !== fingerprint(atEnd.planFor(always))) return undefined
  const { plan, columns, countsRows } = resultPlan(planFor(always))
  const parts = rangePlan(plan, engine.catalog)
  if (parts === undefined || (dividesByRange(parts, engine) && hasOwnRange(plan, table, engine))) return undefined
  const grid = logGrid(window, isRange(query) && columns.time === undefined)
  const read = async (each: LogicalPlan, startMs: number, endMs: number, take: (row: Row) => void): Promise<void> => {
    const range = { startNs: toNs(startMs), endNs: toNs(endMs) }
    const result = engine.queryPlan(each, { range, table, nowNs: toNs(firstMs), scope, signal, lint: 'off' })
    for await (const batch of result.batches()) for (const row of rowsOf(batch)) take(row)
  }
  const ofNoRows: RowResult[] = []
  const noRows = planOfNoRows(parts)
  if (noRows === 'unknown') return undefined
  if (noRows !== 'none') {
    const endMs = firstMs + grid.lastMs
    const reader = new RowReader(columns)
    await read(noRows, endMs - grid.stepMs, endMs, (row) => ofNoRows.push(reader.result(row, endMs)))
  }
  return {
    grid,
    ofNoRows,
    countsRows,
    read: async (pass, add) => {
      const startMs = pass.firstMs - grid.stepMs
      const bucketed = bucketedPlan(parts, toNs(startMs), toNs(grid.stepMs))
      const reader = new RowReader(columns)
      await read(bucketed.plan, startMs, pass.lastMs, (row) => {
        const bucket = row.get(bucketed.key)
        if (!(bucket instanceof Instant)) throw new QueryFault('a row has no time')
        const atMs = Number(bucket.ns / MS_NS) + grid.stepMs
        add(atMs, reader.result(row, atMs))
      })
    },
  }
}

function metricPassQuery(
  query: MonitorQuery,
  location: QueryLocation,
  window: Window,
  { intervalMs }: RoundRange,
  tools: QueryTools,
): PassQuery | undefined {
  const { engine, samples, signal } = tools
  const text = readMetricQuery(query, location, tools)
  const guard = metricGuard(query, location, tools)
  // `@ start()` and `@ end()` depend on the range of the query, so its points cannot be read in one range query.
  if (/@\s*(start|end)\s*\(/i.test(text)) return undefined
  const promql = createPromql(engine, samples, guard === undefined ? {} : { guard })
  const grid = metricGrid(window, isRange(query), intervalMs)
  return {
    grid,
    ofNoRows: [],
    countsRows: false,
    read: async ({ firstMs, lastMs }, add) => {
      const range = { startMs: firstMs, endMs: lastMs, stepMs: grid.stepMs }
      const { answer } = await promql.query(text, { range, signal }).answer()
      for (const result of resultsOfAnswer(answer)) add(result.point.timeMs, result)
    },
  }
}

/**
 * Converts a query to one that answers many rounds at once. `undefined` if its answer at a round depends on more than
 * equally spaced points. Rejects with SluiceError and QueryFault as the query does.
 */
export async function passQuery(
  query: MonitorQuery,
  index: number,
  rounds: RoundRange,
  tools: QueryTools,
): Promise<PassQuery | undefined> {
  const location = { path: ['model', 'queries', index], member: `model.queries[${index}]` }
  const window = windowOf(query, 0, rounds.intervalMs)
  const { startMs, endMs, stepMs } = window
  if (startMs >= endMs || (isRange(query) && (endMs - startMs) / stepMs > MAX_POINTS)) return undefined
  const language = languageFor(query, location, tools)
  if (language === 'log') return logPassQuery(query, location, window, rounds, tools)
  return language === 'promql' ? metricPassQuery(query, location, window, rounds, tools) : undefined
}
