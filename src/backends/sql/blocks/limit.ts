import type { Limit } from '../../../plan/index.ts'
import type { QueryBlock } from '../block.ts'
import type { CompileContext } from '../context.ts'

/** Adds a limit to a block, which then returns its rows `[offset, offset + limit)`. */
export function addLimit(block: QueryBlock, offset: number, limit: number | undefined): QueryBlock {
  const left = block.limit === undefined ? undefined : Math.max(0, block.limit - offset)
  const next = limit === undefined ? left : left === undefined ? limit : Math.min(left, limit)
  return { ...block, offset: block.offset + offset, limit: next }
}

export function limitBlock(node: Limit, context: CompileContext): QueryBlock {
  return addLimit(context.block(node.input), node.offset, node.limit)
}
