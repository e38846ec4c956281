import { newestRows } from '../../analyze/index.ts'
import { spanOf } from '../../base/index.ts'
import type { Query } from '../../lang/log/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'

/** A query for the newest rows, taken apart. */
export interface NewestQuery {
  /** Without the stages that say how many. Its rows come in the same order on every node, the newest first. */
  readonly query: Query
  readonly offset: number
  readonly limit: number
}

/**
 * Takes the limit, and the sort by time, off a query for the newest rows; `plan` is what the query says. A coordinator
 * asks each node for `offset + limit` rows of what is left, merges them by time and takes its part. `undefined` for
 * other queries.
 */
export function newestQuery(query: Query, plan: LogicalPlan, timeField = '_time'): NewestQuery | undefined {
  const found = newestRows(plan, timeField)
  if (found === undefined) return undefined
  const starts = new Set(found.stages.map(({ origin }) => spanOf(origin)?.start))
  const pipes = query.pipes.filter(({ span }) => !starts.has(span.start))
  return { query: { ...query, pipes }, offset: found.offset, limit: found.limit }
}
