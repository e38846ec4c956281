import { hasMember, checkArgument } from '../../../base/index.ts'
import type { Filter, Query } from '../ast.ts'
import { addFilter } from './add-filter.ts'
import { mapNested } from './map-nested.ts'

/**
 * Adds a filter to a query and to every query inside it. Subqueries need the filter too, because they read rows for the
 * same caller.
 */
export function withExtraFilter(query: Query, filter: Filter): Query {
  checkArgument(
    hasMember(filter, 'kind'),
    filter,
    'a filter',
    "withExtraFilter(parse(text).ast, parseFilter('level:error').ast)",
  )
  checkArgument(
    hasMember(query, 'pipes'),
    query,
    'the `ast` of a query that `parse` read',
    "withExtraFilter(parse(text).ast, parseFilter('level:error').ast)",
  )
  return addFilter(
    mapNested(query, (nested) => withExtraFilter(nested, filter)),
    filter,
  )
}
