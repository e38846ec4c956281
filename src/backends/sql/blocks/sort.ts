import { compareText } from '../../../data/index.ts'
import type { Sort, SortKey } from '../../../plan/index.ts'
import { column } from '../../../plan/index.ts'
import { CannotCompile, isLimited, withField, type QueryBlock } from '../block.ts'
import type { CompileContext } from '../context.ts'
import { valueCell } from '../expr.ts'
import { nest } from '../nest.ts'
import { groupKeyCell, refine, sortTerms } from '../order.ts'
import { addLimit } from './limit.ts'
import { firstOfEach, settled } from './ranked.ts'

/** Returns a sort key for each field of the block, in code point order of the names. */
function allFields(node: Sort, block: QueryBlock, direction: SortKey['direction']): readonly SortKey[] {
  if (block.rest !== undefined) {
    throw new CannotCompile(node, 'sorting by all fields needs the names of fields that nobody declared')
  }
  return [...block.fields.keys()].sort(compareText).map((name) => ({ expr: column(name), direction }))
}

function keysOf(node: Sort, block: QueryBlock): readonly SortKey[] {
  if (node.keys.length === 0) return allFields(node, block, 'asc')
  return node.keys.flatMap((key) => (key.expr.kind === 'columns' ? allFields(node, block, key.direction) : [key]))
}

export function sortBlock(node: Sort, context: CompileContext): QueryBlock {
  const input = context.block(node.input)
  const isRanked = node.partitionBy.length > 0 || node.rankName !== undefined
  const block = isRanked ? settled(input, context) : isLimited(input) || input.isDistinct ? nest(input, context) : input
  const exprContext = { block, node }
  const keys = keysOf(node, block).flatMap((key) =>
    sortTerms(valueCell(key.expr, exprContext), key.direction, exprContext),
  )
  const sorted = { ...block, order: refine(keys, block.order) }
  if (!isRanked) return addLimit(sorted, node.offset, node.limit)
  const partitionBy = node.partitionBy.map((expr) => groupKeyCell(valueCell(expr, exprContext), exprContext).sql)
  const first = firstOfEach(sorted, partitionBy, sorted.order, node.offset, node.limit, context)
  return node.rankName === undefined ? first.block : withField(first.block, node.rankName, first.position)
}
