import type { Expr, Scan } from '../../../plan/index.ts'
import { sqlAnd, sqlTrue, type SqlExpr } from '../statement/ast.ts'
import { fieldCell, type QueryBlock, type ExprContext } from '../block.ts'
import { predicate } from '../expr.ts'
import { addFilter } from './filter.ts'

function testedHere(guard: Expr, above: readonly Expr[], exprContext: ExprContext): SqlExpr {
  if (above.includes(guard)) return sqlTrue
  if (guard.kind !== 'and' || above.length === 0) return predicate(guard, exprContext, true)
  return sqlAnd(guard.args.map((arg) => testedHere(arg, above, exprContext)))
}

/**
 * Adds the conditions of a scan to the block of its table. The guard, which hides rows outside the data scope, is the
 * first condition.
 */
export function scanned(node: Scan, whole: QueryBlock): QueryBlock {
  const { guard, guardAbove: above, guardImplies = [] } = node
  const exprContext = { block: whole, node }
  const implied = guardImplies.map((conjunct) => predicate(conjunct, exprContext, true))
  const where: readonly SqlExpr[] =
    guard === undefined
      ? []
      : [{ kind: 'guard', guard, above, condition: sqlAnd([testedHere(guard, above ?? [], exprContext), ...implied]) }]
  const guarded = { ...whole, where: [...where, ...whole.where] }
  const filtered = node.predicate === undefined ? guarded : addFilter(guarded, node.predicate, node)
  if (node.columns === undefined) return filtered
  const fields = new Map(node.columns.map((name) => [name, fieldCell(whole, name)]))
  return { ...filtered, fields, rest: undefined }
}
