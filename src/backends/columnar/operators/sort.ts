import { compareText, columnOfValues, groupTupleText, valueAt, type Column } from '../../../data/index.ts'
import type { Sort } from '../../../plan/index.ts'
import type { Frame } from '../frame.ts'
import type { ExecContext } from '../context.ts'
import type { OperatorFactory } from '../operator.ts'
import { columnComparer, sortedOrder, type RowComparer } from '../sort-keys.ts'
import { blocking, Collector, pieces } from './collect.ts'

/** Rows held before a top-k lets go of those that cannot come out any more. */
const CUT_ROWS = 65_536

export function frameComparers(frame: Frame, keys: Sort['keys'], context: ExecContext): readonly RowComparer[] {
  if (keys.length === 0) {
    return frame.names.toSorted(compareText).map((name) => columnComparer(frame.column(name), 'asc'))
  }
  return keys.map((key) => columnComparer(context.compiler.expr(key.expr)(frame), key.direction))
}

export const sortOperator: OperatorFactory<Sort> = ({ node, inputs: [input], context }) => {
  const collector = new Collector(input, context)
  const isTopK = node.limit !== undefined && node.partitionBy.length === 0 && node.keys.length > 0
  const keep = node.offset + (node.limit ?? 0)
  const cutAt = Math.max(CUT_ROWS, keep * 2)
  const sorted = (frame: Frame): Uint32Array => sortedOrder(frame.rowCount, frameComparers(frame, node.keys, context))
  return blocking(
    () => {
      if (collector.step()) return true
      if (isTopK && collector.rowCount > cutAt) {
        const frame = collector.all()
        collector.replace([frame.take(sorted(frame).slice(0, keep))])
      }
      return false
    },
    () => {
      const frame = collector.all()
      const order = sorted(frame)
      const { rows, ranks } = cut(frame, order, node, context)
      const taken = frame.take(rows)
      return pieces(node.rankName === undefined ? taken : taken.with([[node.rankName, ranks]]))
    },
  )
}

/** The rows `[offset, offset + limit)` of each partition, with their places. */
function cut(
  frame: Frame,
  order: Uint32Array,
  node: Sort,
  context: ExecContext,
): { readonly rows: Uint32Array; readonly ranks: Column } {
  const end = node.limit === undefined ? Infinity : node.offset + node.limit
  if (node.partitionBy.length === 0) {
    const rows = order.slice(node.offset, Math.min(end, order.length))
    return { rows, ranks: columnOfValues(Array.from(rows, (_, i) => node.offset + i + 1)) }
  }
  const columns = node.partitionBy.map((expr) => context.compiler.expr(expr)(frame))
  const seen = new Map<string, number>()
  const rows: number[] = []
  const ranks: number[] = []
  for (const row of order) {
    const key = groupTupleText(columns.map((column) => valueAt(column, row)))
    const place = seen.get(key) ?? 0
    seen.set(key, place + 1)
    if (place < node.offset || place >= end) continue
    rows.push(row)
    ranks.push(place + 1)
  }
  return { rows: Uint32Array.from(rows), ranks: columnOfValues(ranks) }
}
