import { hasMember, checkArgument } from '../../../base/index.ts'
import type { Query } from '../ast.ts'
import { foldPipes } from '../rewrite/pipes.ts'

/**
 * Returns the query without its pipes: it selects the stored rows. Filter pipes at the beginning become part of the
 * filter.
 */
export function withoutPipes(query: Query): Query {
  checkArgument(
    hasMember(query, 'pipes'),
    query,
    'the `ast` of a query that `parse` read',
    'withoutPipes(parse(text).ast)',
  )
  return { ...query, filter: foldPipes({ ...query, pipes: leadingFilters(query) }).filter, pipes: [] }
}

function leadingFilters({ pipes }: Query): Query['pipes'] {
  const end = pipes.findIndex(({ kind }) => kind !== 'filter')
  return end === -1 ? pipes : pipes.slice(0, end)
}
