import type { LimitBy } from '../../../plan/index.ts'
import type { QueryBlock } from '../block.ts'
import type { CompileContext } from '../context.ts'
import { valueCell } from '../expr.ts'
import { groupKeyCell } from '../order.ts'
import { firstOfEach, settled } from './ranked.ts'

export function limitByBlock(node: LimitBy, context: CompileContext): QueryBlock {
  const block = settled(context.block(node.input), context)
  const exprContext = { block, node }
  const keys = node.keys.map((expr) => groupKeyCell(valueCell(expr, exprContext), exprContext).sql)
  const { limit, offset } = node
  // Strings that sort as numbers are in final order only in the reader, so SQL must not select rows by that order.
  const isPlain = block.order.every((term) => term.ranks === undefined)
  if (context.dialect.foreign?.hasLimitBy === true && isPlain && keys.length > 0)
    return { ...block, limitBy: { keys, limit, offset } }
  return firstOfEach(block, keys, block.order, node.offset, node.limit, context).block
}
