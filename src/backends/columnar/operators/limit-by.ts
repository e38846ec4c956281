import type { LimitBy } from '../../../plan/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import { GroupKeys } from '../keys/group-keys.ts'
import { again, type OperatorFactory } from '../operator.ts'
import { rowsAtPositions } from '../window/cut.ts'

export const limitByOperator: OperatorFactory<LimitBy> = ({ node, inputs: [input], context }) => {
  const keys = node.keys.map((key) => context.compiler.expr(key))
  const groups = new GroupKeys(keys.length)
  let seen = new Uint32Array(1024)
  const charge = new MemoryReservation(context.query.budget)
  const end = node.offset + node.limit
  return {
    pull() {
      const frame = input.pull(context.query.batchRows)
      if (frame === undefined || frame === again) return frame
      const of = groups.groupsOf(
        keys.map((key) => key(frame)),
        frame.rowCount,
      )
      const { groupCount } = groups
      charge.set(groups.memoryBytes + seen.byteLength)
      if (groupCount > seen.length) {
        const wider = new Uint32Array(Math.max(groupCount, seen.length * 2))
        wider.set(seen)
        seen = wider
      }
      const rows = rowsAtPositions(of, seen, node.offset, end)
      return rows.length === 0 ? again : frame.take(rows)
    },
  }
}
