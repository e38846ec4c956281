import { invariant, workFor, type Turns } from '../../base/index.ts'
import { createBitmap, type Bitmap } from '../../data/index.ts'
import type { Functions } from '../../functions/index.ts'
import type { LogicalPlan, Scan, Table } from '../../plan/index.ts'
import type { Segment } from '../../store/index.ts'
import type { QueryContext } from '../backend.ts'
import { ExprCompiler } from './expr/compile.ts'
import { planOperators } from './planner.ts'
import { QueryEnd } from './query-end.ts'
import { Waits } from './waits.ts'

/** The scan of a plan that is filters over one; `undefined` of any other plan. */
export function filteredScan(plan: LogicalPlan): Scan | undefined {
  if (plan.kind === 'scan') return plan
  return plan.kind === 'filter' ? filteredScan(plan.input) : undefined
}

export interface MatchingRowsOptions {
  /** Filters over a scan, without subqueries. */
  readonly plan: LogicalPlan
  /** Of the table that is scanned. */
  readonly segments: readonly Segment[]
  readonly tables: ReadonlyMap<string, Table>
  readonly functions: Functions
  readonly query: QueryContext
}

/**
 * The rows that a plan of filters gives, as bitmaps over the rows of their segments; segments without any are left out. Fields
 * beyond the limit of the table are read from where its rows have them.
 */
export function* matchingRows(options: MatchingRowsOptions): Turns<ReadonlyMap<Segment, Bitmap>> {
  const { plan, segments, tables, functions, query } = options
  const scan = filteredScan(plan)
  invariant(scan !== undefined, 'a plan of filters')
  const context = {
    tables,
    functions,
    query,
    scans: new Map(),
    segments: new Map([[scan, segments]]),
    shared: new Map<LogicalPlan, number>(),
    waits: new Waits(),
    end: new QueryEnd(),
    compiler: new ExprCompiler(functions).ofWholeRows(scan.tableSchema),
    helpers: undefined,
    measures: new Map(),
  }
  const source = workFor(query.budget, () => planOperators(plan, context).operator.scan)
  invariant(source !== undefined, 'filters over a scan are one')
  const found = new Map<Segment, Bitmap>()
  for (const range of workFor(query.budget, () => source.pieces())) {
    yield
    workFor(query.budget, () => {
      if (source.isNone(range)) return
      const mask = source.mask(range)
      if (mask.every((word) => word === 0)) return
      const { segment } = range
      const known = found.get(segment) ?? createBitmap(segment.rowCount)
      for (const [i, word] of mask.entries()) known[i] = (known[i] ?? 0) | word
      found.set(segment, known)
    })
  }
  return found
}
