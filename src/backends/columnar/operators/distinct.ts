import { columnOfValues, type Column } from '../../../data/index.ts'
import { asAggregate, type Distinct } from '../../../plan/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import { Frame } from '../frame.ts'
import { segmentGroups } from '../group/segment-groups.ts'
import { GroupKeys } from '../keys/group-keys.ts'
import { again, type OperatorFactory } from '../operator.ts'
import { PLACE_BYTES } from '../tuning.ts'
import { adding } from '../blocking.ts'

export const distinctOperator: OperatorFactory<Distinct> = ({ node, inputs: [input], context }) => {
  if (input.scan !== undefined && node.keys.length > 0) {
    return segmentGroups(asAggregate(node), input.scan, context, node.limit)
  }
  const groups = new GroupKeys(node.keys.length)
  const charge = new MemoryReservation(context.query.budget)
  const hits: number[] = []
  let rowsSeen = 0
  return adding(
    () => {
      const frame = input.pull(context.query.batchRows)
      if (frame === undefined) return true
      if (frame === again) return false
      rowsSeen += frame.rowCount
      const of = groups.groupsOf(
        node.keys.map((name) => frame.column(name)),
        frame.rowCount,
      )
      for (const group of of) hits[group] = (hits[group] ?? 0) + 1
      charge.set(groups.memoryBytes + groups.groupCount * PLACE_BYTES)
      return false
    },
    charge,
    (held) => {
      held.charge(groups.groupCount * PLACE_BYTES * (1 + node.keys.length))
      const order = rowsSeen === 0 ? new Uint32Array(0) : groups.sorted().subarray(0, node.limit)
      const columns = new Map<string, Column>()
      for (const [index, name] of node.keys.entries()) {
        columns.set(name, columnOfValues(Array.from(order, (group) => groups.keyValues(group)[index] ?? null)))
      }
      if (node.hitsName !== undefined) {
        columns.set(node.hitsName, columnOfValues(Array.from(order, (group) => hits[group] ?? 0)))
      }
      return new Frame(order.length, columns)
    },
  )
}
