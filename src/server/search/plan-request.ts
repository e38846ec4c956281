import type { Interval } from '../../base/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'
import type { Caller } from '../auth/caller.ts'
import type { SearchDomain, SearchRequest } from './service-interfaces.ts'

/** Creates the search request for the rows of a plan over one domain. */
export function searchForPlan(caller: Caller, domain: SearchDomain, plan: LogicalPlan, range: Interval): SearchRequest {
  return {
    ...caller,
    domain,
    range,
    query: '*',
    filters: undefined,
    sources: undefined,
    pipeline: undefined,
    dialect: 'logsql',
    over: () => plan,
  }
}
