import type { Budget } from '../../../base/index.ts'
import type { Aggregate } from '../../../plan/index.ts'
import type { Segment } from '../../../store/index.ts'
import { ofPlain } from '../segments/plain-plan.ts'
import { ScanJob } from '../segments/scan-morsels.ts'
import { RemoteScan } from '../segments/scan-task.ts'
import type { GroupsTask } from './groups-task.ts'
import { SegmentAggregate } from './segment-aggregate.ts'

/** Makes the job with which this thread groups rows for a query of another thread, over the same segments. */
export function groupsJob(task: GroupsTask, segments: readonly Segment[], budget: Budget): ScanJob {
  const scan = new RemoteScan(task, segments, budget)
  const { source, context, ranges } = scan
  const { keys, aggregates } = ofPlain({ keys: task.keys, aggregates: task.aggregates })
  const node: Aggregate = { kind: 'aggregate', input: source.node, keys, aggregates, origin: source.node.origin }
  const aggregate = new SegmentAggregate(node, source, context, ranges)
  if (task.state !== undefined) aggregate.continue(task.state)
  return new ScanJob(scan, aggregate)
}
