import type { Asking } from './ask.ts'
import { CallFault } from './fault.ts'
import { countRows, searched, type Search } from './rows.ts'
import type { QueryEstimate, Planned } from './tool.ts'

/** Returns the estimate. Throws CallFault if it exceeds the caller's ceiling of rows. */
export function within(asking: Asking, estimate: QueryEstimate): QueryEstimate {
  const { rows: ceiling } = asking.ceilings
  if (estimate.rows <= ceiling) return estimate
  throw new CallFault(
    `The run may read ${estimate.rows} ${estimate.of}; the ceiling of its key is ${ceiling}. Narrow the time range with \`start\` and \`end\`.`,
  )
}

/**
 * Returns an upper bound of the rows that a search reads: all rows of its table and time range that the caller may see,
 * counted from metadata.
 */
export async function estimateOf(asking: Asking, search: Search): Promise<QueryEstimate> {
  const rows = await countRows(asking, { ...search, query: '*', dialect: 'native' })
  return within(asking, { rows, of: `rows of ${search.table} in the time range` })
}

/** Plans a search: estimates the rows that it reads, without running it. */
export async function plannedSearch(asking: Asking, search: Search): Promise<Planned> {
  return { estimate: await estimateOf(asking, search), rows: searched(asking, search) }
}
