import type { Query } from './ast.ts'

/**
 * True if a query certainly returns exactly one column, so that a filter such as `in(…)` can use the column's values as
 * a list.
 */
export function isOneFieldQuery(query: Query): boolean {
  let count = Infinity
  for (const pipe of query.pipes) {
    if (pipe.kind === 'fields')
      count = pipe.fields.every((field) => field.parts.length === 1) ? pipe.fields.length : Infinity
    else if (pipe.kind === 'uniq') count = pipe.by.length + (pipe.hasHits ? 1 : 0)
    else if (pipe.kind === 'limit' || pipe.kind === 'offset' || pipe.kind === 'filter' || pipe.kind === 'sort') continue
    else count = Infinity
  }
  return count === 1
}
