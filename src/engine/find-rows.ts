import { Budget, nextTurn, type Interval } from '../base/index.ts'
import { filteredScan, matchingRows } from '../backends/columnar/index.ts'
import type { Bitmap } from '../data/index.ts'
import type { LogicalPlan, Table } from '../plan/index.ts'
import type { Segment } from '../store/index.ts'
import type { Engine } from './engine.ts'
import { hasSubqueries } from './subqueries.ts'

/** Finds rows. Returns a bitmap for each segment that has any of them. Yields to the event loop between segments. */
export type FindRows = (segments: readonly Segment[]) => Promise<ReadonlyMap<Segment, Bitmap>>

/** Returns the union of two bitmaps of one segment. */
function merged(others: Bitmap | undefined, rows: Bitmap): Bitmap {
  if (others !== undefined) for (const [i, word] of others.entries()) rows[i] = (rows[i] ?? 0) | word
  return rows
}

export interface FindRowsOptions {
  /** Name of the table to search. */
  readonly table: string
  readonly tables: ReadonlyMap<string, Table>
  readonly range: Interval
  readonly nowNs: bigint
}

/** Time limit of a search, ms: one day, because a search for rows to delete must not stop at a query's time limit. */
const FIND_MS = 86_400_000

/**
 * Returns a function that finds the rows that a plan of filters selects from one table. `undefined` for plans with
 * other nodes, with a subquery, or of another table. Throws SluiceError if the plan has errors.
 */
export function findRowsOf(engine: Engine, plan: LogicalPlan, options: FindRowsOptions): FindRows | undefined {
  const { table, tables, range, nowNs } = options
  const { bound, optimized } = engine.compilePlan(plan, { range, table, nowNs, lint: 'off' })
  if (filteredScan(bound)?.table !== table || hasSubqueries(bound)) return undefined
  const filters = filteredScan(optimized) === undefined ? bound : optimized
  const { functions, clock, limits } = engine
  return async (segments) => {
    const budget = new Budget({ ...limits, timeoutMs: FIND_MS }, clock.nowMs)
    const query = { budget, nowNs, range, batchRows: limits.batchRows }
    const found = new Map<Segment, Bitmap>()
    for (const { segment, rows } of matchingRows({ plan: filters, segments, tables, functions, query })) {
      if (rows !== undefined) found.set(segment, merged(found.get(segment), rows))
      await nextTurn()
    }
    return found
  }
}
