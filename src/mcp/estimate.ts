import type { Asking } from './ask.ts'
import { CallFault } from './fault.ts'
import { countRows, searched, type Search } from './rows.ts'
import type { Estimate, Planned } from './tool.ts'

/** Throws CallFault if a run may read more than the key may. */
export function within(asking: Asking, estimate: Estimate): Estimate {
  const { rows: ceiling } = asking.ceilings
  if (estimate.rows <= ceiling) return estimate
  throw new CallFault(
    `The run may read ${estimate.rows} ${estimate.of}; the ceiling of its key is ${ceiling}. Narrow the time range with \`start\` and \`end\`.`,
  )
}

/** Rows that a search reads at most: those of its table in its range that the caller may see, counted without reading. */
export async function estimateOf(asking: Asking, search: Search): Promise<Estimate> {
  const rows = await countRows(asking, { ...search, query: '*', dialect: 'native' })
  return within(asking, { rows, of: `rows of ${search.table} in the time range` })
}

/** A search with its estimate. */
export async function plannedSearch(asking: Asking, search: Search): Promise<Planned> {
  return { estimate: await estimateOf(asking, search), rows: searched(asking, search) }
}
