import { BATCH_ROWS, nowhere, type Origin } from '../base/index.ts'
import {
  conjunction,
  visitExpr,
  wholeScan,
  type Expr,
  type LogicalPlan,
  type ScanRequest,
  type ScanResult,
  type Table,
  type TableDefinition,
} from '../plan/index.ts'
import type { Backend } from './backend.ts'

const origin: Origin = nowhere

/**
 * Returns whether a filter contains a subquery. A subquery may read tables that the backend lacks, so the engine must
 * run it before the scan.
 */
function hasSubquery(filter: Expr): boolean {
  let found = false
  visitExpr(filter, ({ kind }) => {
    if (kind === 'in-subquery') found = true
  })
  return found
}

/** Returns the plan of a scan request: a scan, with a limit if the request has one. */
function planOf(
  { name, schema }: TableDefinition,
  { columns, predicate, range, limitRows }: Pick<ScanRequest, 'columns' | 'predicate' | 'range' | 'limitRows'>,
): LogicalPlan {
  const scan: LogicalPlan = {
    ...wholeScan({ name, schema }),
    range,
    predicate: predicate.length === 0 ? undefined : conjunction(predicate, origin),
    columns,
  }
  return limitRows === undefined ? scan : { kind: 'limit', input: scan, offset: 0, limit: limitRows, origin }
}

/**
 * Wraps a backend's table for an engine over tables, which can join its rows with rows from elsewhere. The backend
 * receives only the fields, a time range, a row limit and the conditions that it accepts in a scan. Under a data scope,
 * the engine removes rows that the caller may not see before it uses any row.
 */
export function backendTable(backend: Backend, definition: TableDefinition): Table {
  const all = { columns: undefined, limitRows: undefined }
  const range = { startNs: 0n, endNs: 1n }
  return Object.freeze<Table>({
    definition,
    grade: (filter) =>
      !hasSubquery(filter) &&
      backend.accept(planOf(definition, { ...all, range, predicate: [filter] })).kind === 'whole'
        ? 'exact'
        : 'none',
    scan(request): ScanResult {
      const { budget, predicate } = request
      // The conditions already contain the times of the query, so the backend reads neither "now" nor the request's
      // range.
      const context = { budget, nowNs: 0n, range: request.range, batchRows: BATCH_ROWS }
      const batches = backend.prepare(planOf(definition, request), context).run()
      // Every backend returns stored rows newest first.
      return { applied: { predicate, range: true, order: true }, batches }
    },
  })
}
