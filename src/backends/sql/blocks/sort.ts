import { compareText } from '../../../data/index.ts'
import type { Sort, SortKey } from '../../../plan/index.ts'
import { column } from '../../../plan/index.ts'
import { CannotCompile, isLimited, type Block } from '../block.ts'
import type { CompileContext } from '../context.ts'
import { valueCell } from '../expr.ts'
import { nest } from '../nest.ts'
import { refine, sortTerms } from '../order.ts'
import { addLimit } from './limit.ts'

function keysOf(node: Sort, block: Block): readonly SortKey[] {
  if (node.keys.length > 0) return node.keys
  if (block.rest !== undefined) {
    throw new CannotCompile(node, 'sorting by all fields needs the names of fields that nobody declared')
  }
  return [...block.fields.keys()].sort(compareText).map((name) => ({ expr: column(name), direction: 'asc' }))
}

export function sortBlock(node: Sort, context: CompileContext): Block {
  if (node.partitionBy.length > 0 || node.rankName !== undefined) {
    throw new CannotCompile(node, 'the first rows of each partition are chosen above the statement')
  }
  const input = context.block(node.input)
  const block = isLimited(input) || input.isDistinct ? nest(input, context) : input
  const keys = keysOf(node, block).flatMap((key) => sortTerms(valueCell(key.expr, { block, node }), key.direction))
  return addLimit({ ...block, order: refine(keys, block.order) }, node.offset, node.limit)
}
