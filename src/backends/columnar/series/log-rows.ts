import type { Interval } from '../../../base/index.ts'
import type { RecordBatch } from '../../../data/index.ts'
import type { LogicalPlan } from '../../../plan/index.ts'

/** Runs plans of rows for a metric query, under the caller's scope and the limits of the query. */
export interface LogRows {
  read(plan: LogicalPlan, range: Interval): AsyncIterable<RecordBatch>
}
