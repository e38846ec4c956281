import type { Aggregate } from '../../../plan/index.ts'
import { adding } from '../blocking.ts'
import { FrameAggregate } from '../group/frame-aggregate.ts'
import { canAggregateSegments } from '../group/segment-aggregate.ts'
import { segmentGroups } from '../group/segment-groups.ts'
import { shareJoin } from '../group/share-join.ts'
import type { OperatorFactory } from '../operator.ts'

export const aggregateOperator: OperatorFactory<Aggregate> = ({ node, inputs: [input], context }) => {
  if (input.scan !== undefined && canAggregateSegments(node, context)) return segmentGroups(node, input.scan, context)
  const aggregate = new FrameAggregate(node, input, context)
  let step: (() => boolean) | undefined
  const begun = (): (() => boolean) => (step ??= shareJoin(node, input, aggregate, context))
  return adding(
    () => begun()(),
    aggregate.charge,
    (held) => aggregate.rows(held),
  )
}
