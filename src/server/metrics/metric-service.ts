import { Budget, SluiceError, atPath, nowhere, throwIfErrors, type BudgetLimits } from '../../base/index.ts'
import { type Engine } from '../../engine/index.ts'
import {
  promqlJson,
  queryPromql,
  queryPromqlRange,
  querySeriesPlan,
  type PromqlOptions,
  type PromqlResult,
} from '../../engine/metrics/index.ts'
import { lowerPromql, matchersOf, pipelineToPromql } from '../../lang/promql/index.ts'
import type { LabelPredicate } from '../../plan/index.ts'
import type { SampleSource } from '../../store/index.ts'
import { wireDiagnostic, type AtNow, type MetricQuery } from '../../wire/index.ts'
import { labelFilter } from '../search/label-filter.ts'
import { labelScope, withScopeWarning } from '../search/label-scope.ts'
import { metricTimes } from './metric-times.ts'
import type { MetricService } from './metric-interfaces.ts'
import type { Caller } from '../auth/caller.ts'

export interface MetricServiceOptions {
  readonly sourceOf: (backend: string | undefined) => SampleSource
  /** Engine that binds filter texts and provides the clock. */
  readonly engine: Engine
  readonly limits: BudgetLimits
  readonly parallelism?: PromqlOptions['parallelism']
}

/**
 * Returns the guard of every selector in the request: the caller's scope, and the members `Filters` and `Conditions`.
 */
function guardOf(request: AtNow<MetricQuery>, caller: Caller, engine: Engine): LabelPredicate | undefined {
  const parts: LabelPredicate[] = []
  const scope = labelScope(caller)
  if (scope !== undefined) parts.push(scope)
  if (request.Filters !== undefined) {
    caller.readsText('Filters', request.Filters)
    parts.push(labelFilter(request.Filters, 'Filters', engine))
  }
  const { matchers, diagnostics } = matchersOf(request.Conditions, ['Conditions'])
  throwIfErrors(diagnostics)
  parts.push(...matchers.map((matcher): LabelPredicate => ({ kind: 'matcher', matcher })))
  return parts.length === 0 ? undefined : { kind: 'all', args: parts }
}

function checkSource({ Promql, Pipeline }: MetricQuery): void {
  if (Promql === undefined && Pipeline === undefined) {
    const data = { name: 'Promql', near: [], hint: 'A metric query is `Promql`, or a `Pipeline` in parts.' }
    throw new SluiceError([wireDiagnostic('missing-member', data, atPath(['Promql']))])
  }
  if (Promql !== undefined && Pipeline !== undefined) {
    const what = 'A metric query is a text or a pipeline in parts.'
    throw new SluiceError([wireDiagnostic('one-of', { names: ['Promql', 'Pipeline'], what }, nowhere)])
  }
}

async function answer(
  request: AtNow<MetricQuery>,
  nowMs: number,
  caller: Caller,
  options: PromqlOptions,
): Promise<PromqlResult> {
  const times = metricTimes(request, nowMs)
  const { Promql, Pipeline, SubPipelines } = request
  if (Promql !== undefined) {
    caller.readsText('Promql', Promql)
    return times.stepMs === 0 ? queryPromql(Promql, times.startMs, options) : queryPromqlRange(Promql, times, options)
  }
  const { ast, diagnostics } = pipelineToPromql({ pipeline: Pipeline ?? {}, subPipelines: SubPipelines })
  throwIfErrors(diagnostics)
  if (ast === undefined) throw new SluiceError(diagnostics)
  return querySeriesPlan(lowerPromql(ast), times, options)
}

/** Creates the service that answers metric queries from samples. */
export function createMetricService({ sourceOf, engine, limits, parallelism }: MetricServiceOptions): MetricService {
  return {
    query: async (request, caller) => {
      const { clock } = engine
      const budget = new Budget(limits, clock.nowMs, caller.signal)
      checkSource(request)
      const guard = guardOf(request, caller, engine)
      const nowMs = Number(clock.nowNs() / 1_000_000n)
      const options = { source: sourceOf(caller.backend), budget, guard, parallelism }
      const result = await answer(request, nowMs, caller, options)
      const warned = withScopeWarning(result, caller)
      return { chunks: () => promqlJson(warned) }
    },
  }
}
