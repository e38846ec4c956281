import type { Select, Source, SqlExpr } from './ast.ts'

/** Returns the direct operands and subselects of an expression. */
export function children(expr: SqlExpr): { readonly exprs: readonly SqlExpr[]; readonly selects: readonly Select[] } {
  switch (expr.kind) {
    case 'column':
    case 'bound':
    case 'program':
    case 'constant':
      return { exprs: [], selects: [] }
    case 'and':
    case 'or':
    case 'call':
      return { exprs: expr.args, selects: [] }
    case 'not':
    case 'null-check':
    case 'in':
      return { exprs: [expr.arg], selects: [] }
    case 'compare':
      return { exprs: [expr.left, expr.right], selects: [] }
    case 'in-select':
      return { exprs: [expr.arg], selects: [expr.select] }
    case 'aggregate':
      return {
        exprs: [
          ...expr.args,
          ...expr.orderBy.map((term) => term.expr),
          ...(expr.filter === undefined ? [] : [expr.filter]),
        ],
        selects: [],
      }
    case 'window':
      return { exprs: [expr.call, ...expr.partitionBy, ...expr.orderBy.map((term) => term.expr)], selects: [] }
    case 'case':
      return { exprs: [...expr.branches.flatMap((b) => [b.when, b.value]), expr.otherwise], selects: [] }
    case 'scalar-select':
      return { exprs: [], selects: [expr.select] }
    case 'guard':
      return { exprs: [expr.condition], selects: [] }
  }
}

/** Returns all expressions in the clauses of a SELECT, excluding those in its FROM sources. */
export function roots(select: Select): readonly SqlExpr[] {
  return [
    ...select.columns.map((c) => c.expr),
    ...select.where,
    ...(select.groupBy ?? []),
    ...select.having,
    ...select.orderBy.map((term) => term.expr),
    ...(select.limitBy?.keys ?? []),
    ...joinConditions(select.from),
  ]
}

function joinConditions(source: Source): readonly SqlExpr[] {
  if (source.kind !== 'join') return []
  const own = source.on === undefined ? [] : [source.on]
  return [...own, ...joinConditions(source.left), ...joinConditions(source.right)]
}

/** True if an expression, or a subselect in it, reads the source with this alias. */
export function reads(expr: SqlExpr, alias: string): boolean {
  if (expr.kind === 'column') return expr.source === alias
  const { exprs, selects } = children(expr)
  return (
    exprs.some((child) => reads(child, alias)) ||
    selects.some((select) => roots(select).some((child) => reads(child, alias)))
  )
}
