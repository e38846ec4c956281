import { BATCH_ROWS, nowhere, type Origin } from '../base/index.ts'
import {
  conjunction,
  visitExpr,
  type Expr,
  type LogicalPlan,
  type ScanRequest,
  type ScanResult,
  type Table,
  type TableDefinition,
} from '../plan/index.ts'
import type { Backend } from './backend.ts'

const origin: Origin = nowhere

/** Subqueries may read tables that the backend does not have; they have run when a scan starts. */
function hasSubquery(filter: Expr): boolean {
  let found = false
  visitExpr(filter, ({ kind }) => {
    if (kind === 'in-subquery') found = true
  })
  return found
}

/** The rows that are asked for, as the plan that the backend runs. */
function planOf(
  { name, schema }: TableDefinition,
  { columns, predicate, range, limitRows }: Pick<ScanRequest, 'columns' | 'predicate' | 'range' | 'limitRows'>,
): LogicalPlan {
  const scan: LogicalPlan = {
    kind: 'scan',
    table: name,
    tableSchema: schema,
    range,
    predicate: predicate.length === 0 ? undefined : conjunction(predicate, origin),
    guard: undefined,
    columns,
    origin,
  }
  return limitRows === undefined ? scan : { kind: 'limit', input: scan, offset: 0, limit: limitRows, origin }
}

/**
 * A table that a backend has, for an engine over tables: joined there with rows from elsewhere. The backend is asked for
 * fields, a range of times, a number of rows, and for those conditions that it takes in a scan; nothing else of a query
 * reaches it. Under a data scope, rows that the caller may not see are left out above it, before anything else is done.
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
      // Times of a query are in its conditions already: neither "now" nor the request's range is looked at.
      const context = { budget, nowNs: 0n, range: request.range, batchRows: BATCH_ROWS }
      const batches = backend.prepare(planOf(definition, request), context).run()
      // Every backend gives stored rows newest first.
      return { applied: { predicate, range: true, order: true }, batches }
    },
  })
}
