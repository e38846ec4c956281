import { plainName, type Drop, type Project, type Rename } from '../../../plan/index.ts'
import { matchesField } from '../../../plan/index.ts'
import { CannotCompile, fieldCell, hide, withField, type QueryBlock } from '../block.ts'
import type { Cell } from '../cell.ts'
import type { CompileContext } from '../context.ts'
import { nest } from '../nest.ts'

/**
 * Returns a block to which columns can be added. A block with DISTINCT becomes the source of a new block, since added
 * columns would change which rows are distinct.
 */
function rows(block: QueryBlock, context: CompileContext): QueryBlock {
  return block.isDistinct ? nest(block, context) : block
}

export function projectBlock(node: Project, context: CompileContext): QueryBlock {
  const input = rows(context.block(node.input), context)
  const fields = new Map<string, Cell>()
  for (const pattern of node.fields) {
    const name = plainName(pattern)
    if (name !== undefined) fields.set(name, fieldCell(input, name))
    else if (input.rest !== undefined) throw new CannotCompile(node, WILDCARD)
    else for (const [known, c] of input.fields) if (matchesField(pattern, known)) fields.set(known, c)
  }
  return { ...input, fields, rest: undefined }
}

const WILDCARD = 'undeclared fields chosen by a pattern are only known row by row'

export function dropBlock(node: Drop, context: CompileContext): QueryBlock {
  const input = rows(context.block(node.input), context)
  const kept = [...input.fields].filter(([name]) => !node.fields.some((pattern) => matchesField(pattern, name)))
  return { ...input, fields: new Map(kept), rest: hide(input.rest, node.fields) }
}

export function renameBlock(node: Rename, context: CompileContext): QueryBlock {
  let block = rows(context.block(node.input), context)
  for (const { from, to } of node.steps) {
    const source = plainName(from)
    const target = plainName(to)
    if (source === undefined || target === undefined) throw new CannotCompile(node, WILDCARD)
    if (source === target) continue
    const moved = fieldCell(block, source)
    if (!node.isCopy) {
      const fields = new Map(block.fields)
      fields.delete(source)
      block = { ...block, fields, rest: hide(block.rest, [from]) }
    }
    block = withField(block, target, moved)
  }
  return block
}
