import type { Aggregate } from '../../../plan/index.ts'
import { adding } from '../blocking.ts'
import { FrameAggregate } from '../group/frame-aggregate.ts'
import { canAggregateSegments } from '../group/segment-aggregate.ts'
import { segmentGroups } from '../group/segment-groups.ts'
import { joinByMorsels } from '../group/join-morsels.ts'
import type { OperatorFactory } from '../operator.ts'

export const aggregateOperator: OperatorFactory<Aggregate> = ({ node, inputs: [input], context }) => {
  if (input.scan !== undefined && canAggregateSegments(node, context)) return segmentGroups(node, input.scan, context)
  const aggregate = new FrameAggregate(node, input, context)
  let isBegun = false
  return adding(
    () => {
      if (!isBegun) joinByMorsels(node, input, aggregate, context)
      isBegun = true
      return aggregate.step()
    },
    aggregate.charge,
    (held) => aggregate.rows(held),
  )
}
