import { always } from '../../../base/index.ts'
import type { Condition } from '../../../wire/index.ts'
import type { SearchDomain, SearchService } from '../service-interfaces.ts'
import type { Caller } from '../../auth/caller.ts'
import { readRows } from './read-rows.ts'
import { recordOf, type JsonRecord } from './record.ts'

export interface LatestRequest {
  readonly domain: SearchDomain
  /** Columns whose values identify an object. */
  readonly identity: readonly string[]
  readonly conditions: readonly Condition[]
  readonly filter: string | undefined
  /** Name of the body's member that contains the filter, for errors. */
  readonly filterMember: string
}

/** Returns the latest record of each object that matches the conditions. */
export async function latestRecords(
  search: SearchService,
  request: LatestRequest,
  caller: Caller,
): Promise<readonly JsonRecord[]> {
  const answer = await search.search({
    ...caller,
    domain: request.domain,
    range: always,
    query: undefined,
    filters: request.filter,
    sources: request.conditions,
    // Stored rows are read newest first, so the first row of an object is its latest.
    pipeline: { limitBy: { limit: 1, selectors: request.identity.map((key) => ({ key })) } },
    dialect: 'native',
    readsText: (_, text) => caller.readsText(request.filterMember, text),
  })
  return (await readRows(answer)).map(recordOf)
}
