import type { Sample } from '../../../plan/index.ts'
import { bound, compare, sqlCall } from '../statement/ast.ts'
import { CannotCompile, type QueryBlock } from '../block.ts'
import type { CompileContext } from '../context.ts'
import { firstOfEach, settled } from './ranked.ts'

export function sampleBlock(node: Sample, context: CompileContext): QueryBlock {
  const block = settled(context.block(node.input), context)
  if (block.record === undefined) {
    throw new CannotCompile(node, 'rows that are not stored records are sampled by their place')
  }
  const hash = block.record
  if (node.mode === 'one-in') {
    const isChosen = compare(sqlCall('modulo', hash, bound(BigInt(node.n))), '=', { kind: 'constant', text: '0' })
    return { ...block, where: [...block.where, isChosen] }
  }
  const byHash = [{ expr: hash, direction: 'asc' as const, mayBeNull: false }, ...block.order]
  return firstOfEach(block, [], byHash, 0, node.n, context).block
}
