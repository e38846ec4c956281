import type { Scan } from '../../../plan/index.ts'
import type { SqlExpr } from '../ast.ts'
import { fieldCell, type Block } from '../block.ts'
import { predicate } from '../expr.ts'
import { addFilter } from './filter.ts'

/** What a scan gives of the whole table: its guard stands first among the conditions, before anything a query says. */
export function scanned(node: Scan, whole: Block): Block {
  const { guard } = node
  const place = { block: whole, node }
  const where: readonly SqlExpr[] =
    guard === undefined ? [] : [{ kind: 'guard', guard, condition: predicate(guard, place, true) }]
  const guarded = { ...whole, where: [...where, ...whole.where] }
  const filtered = node.predicate === undefined ? guarded : addFilter(guarded, node.predicate, node)
  if (node.columns === undefined) return filtered
  const fields = new Map(node.columns.map((name) => [name, fieldCell(whole, name)]))
  return { ...filtered, fields, rest: undefined }
}
