import { Budget, isError, runWithBudget, saidOnce, type BudgetLimits, type Diagnostic } from '../../base/index.ts'
import type { Engine, QueryStatistics } from '../../engine/index.ts'
import { parameterNames } from '../../lang/log/index.ts'
import type { Dialect, ExplainTree } from '../../plan/index.ts'
import type { Caller } from '../auth/caller.ts'
import { searchPlanner, tableOfDomain } from './search-service.ts'
import type { SearchDomain, SearchRequest } from './service-interfaces.ts'

export interface CheckRequest extends Caller {
  readonly domain: SearchDomain
  readonly query: string
  readonly dialect: Dialect
}

export interface Explained {
  readonly tree: ExplainTree
  readonly warnings: readonly Diagnostic[]
  /** Cost of the query; `undefined` before a run. */
  readonly cost: QueryStatistics | undefined
}

/**
 * Explains how a search would run or did run, and reports errors in a query. Explanations and errors do not depend on
 * hidden rows.
 */
export interface ExplainService {
  /** Explains a search. With `isRun`, runs the query first. Rejects as the search would. */
  explain(request: SearchRequest, isRun: boolean): Promise<Explained>
  /** Returns all diagnostics of a query, including errors. */
  check(request: CheckRequest): Promise<readonly Diagnostic[]>
}

export function createExplainService(
  engineOf: (backend: string | undefined) => Engine,
  limits?: Partial<BudgetLimits>,
): ExplainService {
  const plan = searchPlanner(engineOf, limits)
  return {
    explain: async (request, isRun) => {
      const result = plan(request)
      if (!isRun) return { tree: result.explain(), warnings: result.diagnostics, cost: undefined }
      const batches = result.batches()[Symbol.asyncIterator]()
      while ((await batches.next()).done !== true);
      const advice = [...(await result.rowAdvice()), ...(await result.advice(request.query))]
      return { tree: result.explain(), warnings: [...result.diagnostics, ...advice], cost: result.statistics() }
    },
    check: async ({ backend, domain, query, dialect, scope, signal, readsText }) => {
      const engine = engineOf(backend)
      readsText('query', query)
      const planning = new Budget({ ...engine.limits, ...limits }, engine.clock.nowMs, signal)
      const options = { dialect, table: tableOfDomain[domain], scope, nowNs: engine.clock.nowNs(), signal, limits }
      const reported = runWithBudget(planning, () => engine.check(query, options))
      // For parameters without values, no rows can be read to check names.
      if (reported.some(isError) || parameterNames(query).length > 0) return reported
      return saidOnce([...reported, ...(await engine.query(query, options).advice(query))])
    },
  }
}
