import type { Extend } from '../../../plan/index.ts'
import { withField, type QueryBlock } from '../block.ts'
import type { CompileContext } from '../context.ts'
import { valueCell } from '../expr.ts'
import { nest } from '../nest.ts'

export function extendBlock(node: Extend, context: CompileContext): QueryBlock {
  const input = context.block(node.input)
  let block = input.isDistinct ? nest(input, context) : input
  for (const { name, expr } of node.assignments) block = withField(block, name, valueCell(expr, { block, node }))
  return block
}
