import { isMatchAll } from '../filters/pattern.ts'
import type { Filter, Query } from '../ast.ts'

function operand(filter: Filter): Filter {
  const isList = filter.kind === 'and' || filter.kind === 'or'
  return isList ? { kind: 'group', arg: filter, field: undefined, span: filter.span } : filter
}

/** Adds a filter before the query's own; rows must match both. */
export function addFilter(query: Query, filter: Filter): Query {
  const own = query.filter
  if (isMatchAll(filter)) return query
  if (own === undefined || isMatchAll(own)) return { ...query, filter }
  const args = [operand(filter), operand(own)]
  return { ...query, filter: { kind: 'and', args, isExplicit: true, field: undefined, span: own.span } }
}
