import { Budget, throwIfErrors, runWithBudget, type BudgetLimits, type Diagnostic } from '../../base/index.ts'
import type { Engine, QueryResult } from '../../engine/index.ts'
import { functionNamesOf } from '../../engine/pipelines/index.ts'
import { lowerSearch } from '../../lang/json/index.ts'
import type { LowerOptions } from '../../lang/log/index.ts'
import { conjunction, type Expr, type LogicalPlan } from '../../plan/index.ts'
import { parametersIn } from './search-body.ts'
import { readFilter, readQuery } from './read-text.ts'
import type { SearchDomain, SearchRequest, SearchService } from './service-interfaces.ts'

/** Table of each search domain. */
export const tableOfDomain: { readonly [K in SearchDomain]: string } = {
  logs: 'logs',
  events: 'events',
  traces: 'spans',
  clusters: 'clusters',
  workloads: 'workloads',
}

/** Returns the predicate of a plan that `readFilter` returned; `true` if it has no filter. */
export function predicateOf(plan: LogicalPlan): Expr {
  return plan.kind === 'filter' ? plan.predicate : conjunction([])
}

/** Returns the limits for one request. */
function boundsOf(
  limits: Partial<BudgetLimits> | undefined,
  ownMs: number,
  wantedMs: number | undefined,
): Partial<BudgetLimits> | undefined {
  return wantedMs === undefined ? limits : { ...limits, timeoutMs: Math.min(limits?.timeoutMs ?? ownMs, wantedMs) }
}

/**
 * Returns a function that plans searches with the engine of a backend: text, filters, sources and pipeline become one
 * plan. `limits` replace the engine's own. Throws a SluiceError for an invalid query.
 */
export function searchPlanner(
  engineOf: (backend: string | undefined) => Engine,
  limits?: Partial<BudgetLimits>,
): (request: SearchRequest) => QueryResult {
  return (request) => {
    const engine = engineOf(request.backend)
    const table = tableOfDomain[request.domain]
    const { dialect, range, sources, pipeline, parameters, scope, signal } = request
    const nowNs = request.nowNs ?? engine.clock.nowNs()
    // Parsing and planning count towards the query's time limit.
    const startMs = engine.clock.nowMs()
    const bounds = boundsOf(limits, engine.limits.timeoutMs, request.timeoutMs)
    const planning = new Budget({ ...engine.limits, ...bounds }, engine.clock.nowMs, signal, startMs)
    const options: LowerOptions = { dialect, nowNs, table, textField: engine.catalog.tables.get(table)?.textField }
    const textOf = <T>(member: 'query' | 'filters', use: (text: string) => T): T | undefined => {
      const text = request[member]
      if (text === undefined) return undefined
      request.readsText(member, text)
      const read = use(text)
      planning.checkpoint()
      return read
    }
    return runWithBudget(planning, () => {
      const filters = textOf('filters', (text) =>
        predicateOf(readFilter(text, 'filters', { ...options, parameters: parametersIn(text, parameters) })),
      )
      const warnings: Diagnostic[] = []
      const query = textOf('query', (text) =>
        readQuery(text, { ...options, parameters: parametersIn(text, parameters), adapt: request.adapt }, (reported) =>
          warnings.push(...reported),
        ),
      )
      const functions = functionNamesOf(engine.functions)
      const { plan, diagnostics } = lowerSearch({ table, query, filters, sources, pipeline, range, functions })
      throwIfErrors(diagnostics)
      const asked = { range, signal, dialect, table, scope, nowNs, limits: bounds, startMs, arrivals: request.arrivals }
      return engine.queryPlan(request.over?.(plan) ?? plan, asked, warnings)
    })
  }
}

/** Answers searches; see `searchPlanner`. */
export function createSearchService(...options: Parameters<typeof searchPlanner>): SearchService {
  const [engineOf] = options
  const plan = searchPlanner(...options)
  return {
    // oxlint-disable-next-line require-await
    search: async (request) => {
      const result = plan(request)
      return {
        isAggregate: result.isAggregate,
        plan: result.plan,
        names: engineOf(request.backend).catalog.tables.get(tableOfDomain[request.domain]),
        diagnostics: result.diagnostics,
        batches: () => result.batches(),
        advice: () => result.advice(),
        statistics: () => result.statistics(),
      }
    },
  }
}
