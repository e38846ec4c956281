import { isMatchAll } from '../filters/pattern.ts'
import type { Filter, Query } from '../ast.ts'

function operand(filter: Filter): Filter {
  const isList = filter.kind === 'and' || filter.kind === 'or'
  return isList ? { kind: 'group', arg: filter, field: undefined, span: filter.span } : filter
}

/** Returns a query whose rows must match both the given filter and the query's own. */
export function addFilter(query: Query, filter: Filter): Query {
  const own = query.filter
  if (isMatchAll(filter)) return query
  if (own === undefined || isMatchAll(own)) return { ...query, filter }
  const args = [operand(filter), operand(own)]
  return { ...query, filter: { kind: 'and', args, isExplicit: true, field: undefined, span: own.span } }
}
