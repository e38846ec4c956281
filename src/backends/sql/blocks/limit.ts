import type { Limit } from '../../../plan/index.ts'
import type { Block } from '../block.ts'
import type { CompileContext } from '../context.ts'

/** Adds a limit to a block, which then returns its rows `[offset, offset + limit)`. */
export function addLimit(block: Block, offset: number, limit: number | undefined): Block {
  const left = block.limit === undefined ? undefined : Math.max(0, block.limit - offset)
  const next = limit === undefined ? left : left === undefined ? limit : Math.min(left, limit)
  return { ...block, offset: block.offset + offset, limit: next }
}

export function limitBlock(node: Limit, context: CompileContext): Block {
  return addLimit(context.block(node.input), node.offset, node.limit)
}
