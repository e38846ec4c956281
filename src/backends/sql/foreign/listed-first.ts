import { sqlAnd, sqlFalse, type SqlExpr } from '../statement/ast.ts'
import type { Dialect } from '../dialect.ts'
import { children } from '../statement/walk.ts'

const PATTERNS: ReadonlySet<string> = new Set(['like-folded', 'matches-folded', 'matches'])

function some(expr: SqlExpr, holds: (inner: SqlExpr) => boolean): boolean {
  return holds(expr) || children(expr).exprs.some((inner) => some(inner, holds))
}

/**
 * Reorders the conditions of a grouped statement, so that lists of strings are tested before patterns. Otherwise
 * PostgreSQL, which overestimates the cost of a long list, would match every row with the pattern. Returns the
 * conditions unchanged if an index may serve one of them.
 */
export function listedFirst(where: readonly SqlExpr[], { foreign }: Dialect): readonly SqlExpr[] {
  const { anyOf } = foreign ?? {}
  if (anyOf === undefined) return where
  const isOpen = (expr: SqlExpr): boolean => !some(expr, (inner) => inner.kind === 'guard')
  // A trigram index serves only conditions on the column itself, not on an expression of the column.
  const isIndexed = (inner: SqlExpr): boolean =>
    inner.kind === 'call' && inner.name.startsWith('like') && inner.args[0]?.kind === 'column'
  if (where.some((expr) => some(expr, isIndexed))) return where
  const isPattern = (expr: SqlExpr): boolean =>
    isOpen(expr) && some(expr, (inner) => inner.kind === 'call' && PATTERNS.has(inner.name))
  const isListed = (expr: SqlExpr): boolean =>
    isOpen(expr) && some(expr, (inner) => inner.kind === 'in' && inner.values.length >= anyOf.from)
  const patterns = where.filter(isPattern)
  const listed = where.filter((expr) => isListed(expr) && !isPattern(expr))
  if (patterns.length === 0 || listed.length === 0) return where
  const kept = where.filter((expr) => !patterns.includes(expr) && (!listed.includes(expr) || expr.kind === 'in'))
  const branch = { when: sqlAnd(listed), value: sqlAnd(patterns) }
  return [...kept, { kind: 'case', branches: [branch], otherwise: sqlFalse }]
}
