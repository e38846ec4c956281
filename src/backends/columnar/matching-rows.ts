import { invariant, runWithBudget } from '../../base/index.ts'
import type { Bitmap } from '../../data/index.ts'
import type { Functions } from '../../functions/index.ts'
import type { LogicalPlan, Scan, Table } from '../../plan/index.ts'
import type { Segment } from '../../store/index.ts'
import type { QueryContext } from '../backend.ts'
import { ExprCompiler } from './expr/compile.ts'
import { planOperators } from './planner.ts'
import { QueryEnd } from './query-end.ts'
import { PendingReads } from './pending-reads.ts'

/** Returns the scan of a plan that consists of filters over one scan; `undefined` for any other plan. */
export function filteredScan(plan: LogicalPlan): Scan | undefined {
  if (plan.kind === 'scan') return plan
  return plan.kind === 'filter' ? filteredScan(plan.input) : undefined
}

export interface MatchingRowsOptions {
  /** A scan with any number of filters above it, without subqueries. */
  readonly plan: LogicalPlan
  /** The segments of the scanned table. */
  readonly segments: readonly Segment[]
  readonly tables: ReadonlyMap<string, Table>
  readonly functions: Functions
  readonly query: QueryContext
}

/**
 * The matching rows of one range of a segment, as a bitmap over all rows of the segment; `undefined` when there are
 * none.
 */
export interface FoundRows {
  readonly segment: Segment
  readonly rows: Bitmap | undefined
}

/**
 * Yields the matching rows of a plan of filters, one range of a segment at a time. Filters also see fields that have no
 * column because the table has reached its limit of columns.
 */
export function* matchingRows(options: MatchingRowsOptions): Generator<FoundRows> {
  const { plan, segments, tables, functions, query } = options
  const scan = filteredScan(plan)
  invariant(scan !== undefined, 'a plan of filters')
  const context = {
    tables,
    functions,
    query,
    scans: new Map(),
    segments: new Map([[scan, segments]]),
    arriving: new Map(),
    shared: new Map<LogicalPlan, number>(),
    waits: new PendingReads(),
    end: new QueryEnd(),
    compiler: new ExprCompiler(functions).ofWholeRows(scan.tableSchema),
    parallelism: undefined,
    measures: new Map(),
  }
  const source = runWithBudget(query.budget, () => planOperators(plan, context).operator.scan)
  invariant(source !== undefined, 'filters over a scan are one')
  for (const range of runWithBudget(query.budget, () => source.smallRanges())) {
    const rows = runWithBudget(query.budget, () => (source.isNone(range) ? undefined : source.mask(range).slice()))
    yield { segment: range.segment, rows: rows?.some((word) => word !== 0) === true ? rows : undefined }
  }
}
