import { invariant } from '../../../base/index.ts'
import type { Expr, Scan } from '../../../plan/index.ts'
import type { Query, Select, Source, SqlExpr, SqlGuard } from './ast.ts'
import { children, roots } from './walk.ts'

/**
 * Checks that no statement returns a record that a data scope hides, and returns the guards by scan. A guard is the
 * condition of a scan that hides such records.
 *
 * Each SELECT that reads a telemetry table must have the guard of its scan as a term of AND in its WHERE. Sources for
 * the word index and for positions of times hold no records: they may be used without a guard, or to narrow a SELECT
 * that reads the guarded table. If Sluice itself tests a part of a guard, the statement must return rows unchanged.
 * Throws InvariantError.
 */
export function verifyGuards(query: Query): ReadonlyMap<Scan, Expr | undefined> {
  const found = new Map<Scan, Expr | undefined>()
  verifyQuery(query, new Set(), found)
  for (const { guardAbove, table } of found.keys()) {
    invariant(guardAbove === undefined || givesRows(query), `what is left of the guard of ${table} sees no rows of it`)
  }
  return found
}

/** True if a statement only selects rows of one table, without joins, groups or limits. */
function givesRows(query: Query): boolean {
  if (query.kind !== 'select' || query.from.kind === 'select' || query.from.kind === 'join') return false
  const { isDistinct = false, groupBy, having, limitBy, limit, offset } = query
  const isGrouped = isDistinct || groupBy !== undefined || having.length > 0
  return !isGrouped && limitBy === undefined && limit === undefined && offset === 0
}

function verifyQuery(query: Query, guarded: ReadonlySet<Scan>, found: Map<Scan, Expr | undefined>): void {
  const selects = query.kind === 'select' ? [query] : query.selects
  for (const select of selects) verifySelect(select, guarded, found)
}

function sourcesOf(source: Source): readonly Source[] {
  return source.kind === 'join' ? [source, ...sourcesOf(source.left), ...sourcesOf(source.right)] : [source]
}

/** Returns the guards that every row must meet: terms of AND, but not conditions inside OR or NOT. */
function guardsOf(conditions: readonly SqlExpr[]): readonly SqlGuard[] {
  return conditions.flatMap((condition) => {
    if (condition.kind === 'guard') return [condition]
    return condition.kind === 'and' ? guardsOf(condition.args) : []
  })
}

function verifySelect(select: Select, outer: ReadonlySet<Scan>, found: Map<Scan, Expr | undefined>): void {
  const guards = guardsOf(select.where)
  const sources = sourcesOf(select.from)
  const inner = new Set(outer)
  for (const source of sources) {
    if (source.kind !== 'table' && source.kind !== 'foreign') continue
    const { scan } = source
    found.set(scan, scan.guard)
    const { guard, guardAbove } = scan
    const isHeld = guards.some((held) => held.guard === guard && held.above === guardAbove)
    invariant(guard === undefined || isHeld, `a block reads ${scan.table} without its guard`)
    inner.add(scan)
  }
  for (const source of sources) {
    if (source.kind === 'select') verifyQuery(source.query, new Set(), found)
    if (source.kind !== 'words' && source.kind !== 'position') continue
    const { scan } = source
    if (!found.has(scan)) found.set(scan, scan.guard)
    invariant(
      scan.guard === undefined || inner.has(scan),
      `an index of ${scan.table} is read without the guarded table`,
    )
  }
  for (const root of roots(select)) verifyExpr(root, inner, found)
}

function verifyExpr(expr: SqlExpr, guarded: ReadonlySet<Scan>, found: Map<Scan, Expr | undefined>): void {
  const { exprs, selects } = children(expr)
  for (const select of selects) verifySelect(select, guarded, found)
  for (const part of exprs) verifyExpr(part, guarded, found)
}
