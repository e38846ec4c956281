import { rowsOfBitmap } from '../../../data/index.ts'
import { columnsOf, type Expr, type Filter, type Scan } from '../../../plan/index.ts'
import { fullMask } from '../expr/predicate.ts'
import { again, type OperatorFactory } from '../operator.ts'
import { scanRows } from '../scan/rows.ts'

/** True if a filter can be evaluated inside a scan: it reads only columns that the scan returns. */
function canSink(predicate: Expr, scan: Scan): boolean {
  const { columns } = scan
  if (columns === undefined) return true
  const read = columnsOf(predicate)
  return read !== undefined && [...read].every((name) => columns.includes(name))
}

export const filterOperator: OperatorFactory<Filter> = ({ node, inputs: [input], context }) => {
  const predicate = context.compiler.predicate(node.predicate)
  if (input.scan !== undefined && canSink(node.predicate, input.scan.node))
    return scanRows(input.scan.filtered(predicate, node.predicate))
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
