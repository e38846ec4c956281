import { groupTupleText, valueAt } from '../../../data/index.ts'
import type { LimitBy } from '../../../plan/index.ts'
import { Charge } from '../charge.ts'
import { again, type OperatorFactory } from '../operator.ts'

const GROUP_BYTES = 96

export const limitByOperator: OperatorFactory<LimitBy> = ({ node, inputs: [input], context }) => {
  const keys = node.keys.map((key) => context.compiler.expr(key))
  const seen = new Map<string, number>()
  const charge = new Charge(context.query.budget)
  const end = node.offset + node.limit
  return {
    pull() {
      const frame = input.pull(context.query.batchRows)
      if (frame === undefined || frame === again) return frame
      const columns = keys.map((key) => key(frame))
      const before = seen.size
      const rows: number[] = []
      for (let row = 0; row < frame.rowCount; row++) {
        const key = groupTupleText(columns.map((column) => valueAt(column, row)))
        const place = seen.get(key) ?? 0
        seen.set(key, place + 1)
        if (place >= node.offset && place < end) rows.push(row)
      }
      charge.add((seen.size - before) * GROUP_BYTES)
      return rows.length === 0 ? again : frame.take(Uint32Array.from(rows))
    },
  }
}
