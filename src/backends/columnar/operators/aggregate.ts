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
  let isBegun = false
  const step = (): boolean => {
    if (!isBegun) {
      isBegun = true
      shareJoin(node, input, aggregate, context)
    }
    return aggregate.step()
  }
  return adding(step, aggregate.charge, (held) => aggregate.rows(held))
}
