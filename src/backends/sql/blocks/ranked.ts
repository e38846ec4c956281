import { bound, compare, sqlCall, type OrderTerm, type SqlExpr, type SqlWindow } from '../statement/ast.ts'
import { fieldCell, isGrouped, isLimited, withField, type QueryBlock } from '../block.ts'
import { cell, type Cell } from '../cell.ts'
import type { CompileContext } from '../context.ts'
import { nest } from '../nest.ts'

/** Name of the column with row numbers; no field can have it. */
const POSITION = '\0position'

/** Returns a block to which row numbers can be added. A grouped or limited block becomes the source of a new one. */
export function settled(block: QueryBlock, context: CompileContext): QueryBlock {
  return isGrouped(block) || isLimited(block) ? nest(block, context) : block
}

export function rowNumber(partitionBy: readonly SqlExpr[], orderBy: readonly OrderTerm[]): SqlWindow {
  return { kind: 'window', call: sqlCall('row-number'), partitionBy, orderBy, frame: 'none' }
}

/**
 * Compiles the rows `[offset, offset + limit)` of each partition, and the position of each row. `orderBy` orders the
 * rows only for this selection; the block keeps its own order. The block must come from `settled`.
 */
export function firstOfEach(
  block: QueryBlock,
  partitionBy: readonly SqlExpr[],
  orderBy: readonly OrderTerm[],
  offset: number,
  limit: number | undefined,
  context: CompileContext,
): { readonly block: QueryBlock; readonly position: Cell } {
  const number = cell(rowNumber(partitionBy, orderBy), 'number', block.host.counts)
  const counted = nest(withField(block, POSITION, number), context)
  const fields = new Map(counted.fields)
  const position = fieldCell(counted, POSITION)
  fields.delete(POSITION)
  const where: SqlExpr[] = []
  if (offset > 0) where.push(compare(position.sql, '>', bound(BigInt(offset))))
  if (limit !== undefined) where.push(compare(position.sql, '<=', bound(BigInt(offset + limit))))
  return { block: { ...counted, fields, where }, position }
}
