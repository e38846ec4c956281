import type { Expr, Filter, LogicalPlan } from '../../../plan/index.ts'
import { sqlAnd, sqlTrue } from '../statement/ast.ts'
import { isLimited, type QueryBlock, type WordTerm } from '../block.ts'
import type { CompileContext } from '../context.ts'
import { predicate, valueCell } from '../expr.ts'
import { nest } from '../nest.ts'

function conjuncts(expr: Expr): readonly Expr[] {
  return expr.kind === 'and' ? expr.args.flatMap(conjuncts) : [expr]
}

/**
 * Returns a word-index search that finds all rows of the block that pass the condition; `undefined` if there is none.
 */
function wordTerm(expr: Expr, block: QueryBlock, node: LogicalPlan): WordTerm | undefined {
  if (expr.kind !== 'test' || expr.arg.kind !== 'column') return undefined
  const c = valueCell(expr.arg, { block, node })
  return block.host.wordTerm?.(c, expr.test)
}

/** Adds a condition to the WHERE clause of a block, which must be neither grouped nor limited. */
export function addFilter(block: QueryBlock, expr: Expr, node: LogicalPlan): QueryBlock {
  const words: WordTerm[] = [...block.words]
  const where = [...block.where]
  for (const conjunct of conjuncts(expr)) {
    const term = block.source.kind === 'base' ? wordTerm(conjunct, block, node) : undefined
    if (term !== undefined) {
      words.push(term)
      continue
    }
    const condition = predicate(conjunct, { block, node }, true)
    if (condition !== sqlTrue) where.push(...(condition.kind === 'and' ? condition.args : [condition]))
  }
  return { ...block, words, where }
}

export function filterBlock(node: Filter, context: CompileContext): QueryBlock {
  const input = context.block(node.input)
  if (isLimited(input) || input.isDistinct) return addFilter(nest(input, context), node.predicate, node)
  if (input.groupBy === undefined) return addFilter(input, node.predicate, node)
  const condition = predicate(node.predicate, { block: input, node }, true)
  return { ...input, having: [...input.having, sqlAnd([condition])] }
}
