import type { Interval } from '../../../base/index.ts'
import type { RecordBatch } from '../../../data/index.ts'
import type { LogicalPlan } from '../../../plan/index.ts'

/** Runs the plans that read log rows for a metric query, under the caller's data scope and the query's limits. */
export interface LogRows {
  read(plan: LogicalPlan, range: Interval): AsyncIterable<RecordBatch>
}
