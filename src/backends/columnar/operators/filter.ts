import { rowsOfBitmap } from '../../../data/index.ts'
import type { Filter } from '../../../plan/index.ts'
import { fullMask } from '../expr/predicate.ts'
import { again, type OperatorFactory } from '../operator.ts'

export const filterOperator: OperatorFactory<Filter> = ({ node, inputs: [input], context }) => {
  const predicate = context.compiler.predicate(node.predicate)
  return {
    pull() {
      const frame = input.pull(context.query.batchRows)
      if (frame === undefined || frame === again) return frame
      const mask = fullMask(frame)
      predicate.narrow(frame, mask)
      const rows = rowsOfBitmap(mask)
      return rows.length === frame.rowCount ? frame : rows.length === 0 ? again : frame.take(rows)
    },
  }
}
