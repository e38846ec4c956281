import { columnsOf, type Expr } from '../../plan/index.ts'
import { sqlAnd, sqlFalse, sqlOr, sqlTrue, type SqlExpr } from './statement/ast.ts'
import { CannotCompile, fieldCell, type ExprContext } from './block.ts'
import type { Cell } from './cell.ts'
import { anyField } from './conditions/cell-test.ts'

/**
 * Returns the cells of the columns that an expression reads, by name. Throws CannotCompile if the expression chooses
 * fields by the names in each row.
 */
export function inputsOf(
  expr: Expr,
  { block, node }: ExprContext,
): { readonly columns: readonly string[]; readonly cells: readonly Cell[] } {
  const names = columnsOf(expr)
  if (names === undefined) {
    throw new CannotCompile(node, 'fields named by a pattern inside an expression are looked up per row')
  }
  const columns = [...names]
  return { columns, cells: columns.map((name) => fieldCell(block, name)) }
}

/** Compiles an expression to the cell of its value. */
export function valueCell(expr: Expr, context: ExprContext): Cell {
  switch (expr.kind) {
    case 'column':
      return fieldCell(context.block, expr.name)
    case 'literal':
      return context.block.host.literal(expr.value)
    case 'bucket':
    case 'call':
    case 'case':
      return context.block.host.value(expr, context)
    case 'and':
    case 'or':
    case 'not':
    case 'test':
    case 'any-field':
      return context.block.host.truth(predicate(expr, context, true))
    case 'columns':
      throw new CannotCompile(context.node, 'fields named by a pattern are looked up per row')
    case 'in-subquery':
    case 'field-filter':
    case 'implicit-and':
    case 'stream-filter':
      throw new CannotCompile(context.node, `\`${expr.kind}\` is gone before a plan reaches a backend`)
  }
}

/**
 * Compiles an expression to a WHERE condition, negated unless `isPositive`. Rows that do not match give false or NULL.
 * NOT is pushed down to single tests, because NOT of NULL is NULL and would lose rows.
 */
export function predicate(expr: Expr, context: ExprContext, isPositive: boolean): SqlExpr {
  switch (expr.kind) {
    case 'literal':
      return (expr.value === true) === isPositive ? sqlTrue : sqlFalse
    case 'and':
    case 'or': {
      const args = expr.args.map((arg) => predicate(arg, context, isPositive))
      return (expr.kind === 'and') === isPositive ? sqlAnd(args) : sqlOr(args)
    }
    case 'not':
      return predicate(expr.arg, context, !isPositive)
    case 'test':
      return context.block.host.test(valueCell(expr.arg, context), expr.test, isPositive, context)
    case 'any-field':
      return anyField(expr, isPositive, context)
    default:
      return context.block.host.condition(expr, isPositive, context)
  }
}
