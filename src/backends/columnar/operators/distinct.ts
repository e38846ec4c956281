import { columnOfValues, type Column } from '../../../data/index.ts'
import { asAggregate, type Distinct } from '../../../plan/index.ts'
import { Charge } from '../charge.ts'
import { Frame } from '../frame.ts'
import { segmentGroups } from '../group/segment-groups.ts'
import { GroupKeys } from '../keys/group-keys.ts'
import { again, type OperatorFactory } from '../operator.ts'
import { blocking, pieces } from '../blocking.ts'

const GROUP_BYTES = 96

export const distinctOperator: OperatorFactory<Distinct> = ({ node, inputs: [input], context }) => {
  if (input.scan !== undefined && node.keys.length > 0) {
    return segmentGroups(asAggregate(node), input.scan, context, node.limit)
  }
  const groups = new GroupKeys(node.keys.length)
  const charge = new Charge(context.query.budget)
  const hits: number[] = []
  let rowsSeen = 0
  return blocking(
    () => {
      const frame = input.pull(context.query.batchRows)
      if (frame === undefined) return true
      if (frame === again) return false
      rowsSeen += frame.rowCount
      const before = groups.groupCount
      const of = groups.groupsOf(
        node.keys.map((name) => frame.column(name)),
        frame.rowCount,
      )
      for (const group of of) hits[group] = (hits[group] ?? 0) + 1
      charge.add((groups.groupCount - before) * GROUP_BYTES)
      return false
    },
    () => {
      const order = rowsSeen === 0 ? [] : groups.sorted().slice(0, node.limit)
      const columns = new Map<string, Column>()
      node.keys.forEach((name, index) => {
        columns.set(name, columnOfValues(order.map((group) => groups.keyValues(group)[index])))
      })
      if (node.hitsName !== undefined) columns.set(node.hitsName, columnOfValues(order.map((group) => hits[group])))
      return pieces(new Frame(order.length, columns))
    },
  )
}
