import { Budget, type BudgetLimits } from '../../base/index.ts'
import { METRIC_NAME } from '../../data/index.ts'
import { type Clock } from '../../engine/index.ts'
import {
  DEFAULT_LIMIT_SAMPLES,
  DEFAULT_LOOKBACK_MS,
  QueryStats,
  promqlJson,
  queryPromql,
  queryPromqlRange,
  type PromqlOptions,
  type PromqlResult,
} from '../../engine/metrics/index.ts'
import {
  describedNames,
  labelNames,
  labelValues,
  type MetricCatalog,
  type SampleRequest,
  type SampleSource,
} from '../../store/index.ts'
import { labelScope, withScopeWarning } from '../search/label-scope.ts'
import type { MetricReadService, SeriesSearch } from './metric-interfaces.ts'
import type { Caller } from '../auth/caller.ts'
import { timeLimits } from './parameters.ts'

export interface MetricReadOptions {
  readonly sourceOf: (backend: string | undefined) => SampleSource
  /** Returns the metadata of metrics. Default: none. */
  readonly catalogOf?: (backend: string | undefined) => MetricCatalog | undefined
  readonly clock: Clock
  readonly limits: BudgetLimits
  /** Maximum number of samples that a query may read or compute. Default: the engine's. */
  readonly limitSamples?: number
  readonly parallelism?: PromqlOptions['parallelism']
}

const CUT = 'results truncated due to limit'

/** Truncates an answer to a number of series or samples, with a warning. */
function limited(result: PromqlResult, limit: number | undefined): PromqlResult {
  const { answer, warnings } = result
  if (limit === undefined) return result
  if (answer.type === 'matrix' && answer.series.length > limit) {
    return { ...result, answer: { ...answer, series: answer.series.slice(0, limit) }, warnings: [...warnings, CUT] }
  }
  if (answer.type === 'vector' && answer.samples.length > limit) {
    return { ...result, answer: { ...answer, samples: answer.samples.slice(0, limit) }, warnings: [...warnings, CUT] }
  }
  return result
}

function within(budget: Budget): Required<Pick<SampleRequest, 'checkpoint' | 'charge'>> {
  return { checkpoint: () => budget.checkpoint(), charge: (bytes) => budget.charge(bytes) }
}

/** Prometheus's read API over samples. The caller's scope guards every selector and list. */
export function createMetricReadService(options: MetricReadOptions): MetricReadService {
  const { sourceOf, catalogOf, clock, limits } = options
  const request = ({ filters, startMs, endMs }: SeriesSearch, caller: Caller) => ({
    filters,
    guard: labelScope(caller),
    // The range of a source excludes its start, but `startMs` is included.
    startMs: startMs - 1,
    endMs,
  })
  /** Sources do not accept a reversed range. */
  const listing = async <T>(search: SeriesSearch, list: () => Promise<readonly T[]>): Promise<readonly T[]> =>
    search.endMs < search.startMs ? [] : list()
  const budgetOf = (caller: Caller, timeoutMs = limits.timeoutMs): Budget =>
    new Budget({ ...limits, timeoutMs }, clock.nowMs, caller.signal)
  return {
    nowMs: () => Number(clock.nowNs() / 1_000_000n),
    limits: {
      timeoutMs: limits.timeoutMs,
      limitSamples: options.limitSamples ?? DEFAULT_LIMIT_SAMPLES,
      lookbackMs: DEFAULT_LOOKBACK_MS,
    },
    budget: (caller) => budgetOf(caller),

    samples: async (matchers, { startMs, endMs }, caller, budget) =>
      sourceOf(caller.backend).select({
        matchers,
        guard: labelScope(caller),
        // The range of a source excludes its start, but `startMs` is included.
        startMs: startMs - 1,
        endMs,
        ...within(budget),
      }),

    spans: async (caller, budget) => {
      const source = sourceOf(caller.backend)
      const filter = { matchers: [], guard: labelScope(caller) }
      const known = source.spans?.(filter)
      if (known !== undefined) return known
      const range = { startMs: timeLimits.minMs, endMs: timeLimits.maxMs, isPresenceOnly: true }
      const found = await source.select({ ...filter, ...range, ...within(budget) })
      return found.map(({ labels, timesMs }) => ({
        labels,
        firstMs: timesMs[0] ?? Infinity,
        lastMs: timesMs.at(-1) ?? -Infinity,
      }))
    },

    exemplars: async ({ filters, startMs, endMs }, caller) => {
      const source = sourceOf(caller.backend)
      if (filters.length === 0) return []
      return (await source.exemplars?.({ filters, guard: labelScope(caller), startMs, endMs })) ?? []
    },

    query: async (query, caller) => {
      const timeoutMs = Math.min(limits.timeoutMs, query.timeoutMs ?? Infinity)
      const stats = query.stats === 'none' ? undefined : new QueryStats(query)
      const sinceMs = clock.nowMs()
      const how: PromqlOptions = {
        source: sourceOf(caller.backend),
        budget: budgetOf(caller, timeoutMs),
        guard: labelScope(caller),
        lookbackMs: query.lookbackMs,
        limitSamples: options.limitSamples,
        observer: stats,
        parallelism: options.parallelism,
      }
      const result =
        query.stepMs === 0
          ? await queryPromql(query.text, query.startMs, how)
          : await queryPromqlRange(query.text, query, how)
      const cut = withScopeWarning(limited(result, query.limit), caller)
      const cost = stats?.report(clock.nowMs() - sinceMs, query.stats === 'steps')
      return { chunks: () => promqlJson({ ...cut, stats: cost }) }
    },

    series: (search, caller) => listing(search, async () => sourceOf(caller.backend).series(request(search, caller))),
    labelNames: (search, caller) =>
      listing(search, () => labelNames(sourceOf(caller.backend), request(search, caller))),
    labelValues: (label, search, caller) =>
      listing(search, () => labelValues(sourceOf(caller.backend), label, request(search, caller))),

    metadata: async (metric, caller) => {
      const catalog = catalogOf?.(caller.backend)
      const found = new Map<string, readonly ReturnType<MetricCatalog['descriptionsOf']>[number][]>()
      if (catalog === undefined) return found
      const everything = { filters: [], startMs: timeLimits.minMs + 1, endMs: timeLimits.maxMs }
      // Metadata would reveal that a metric exists, so only metadata of visible series is returned.
      const visible = await labelValues(sourceOf(caller.backend), METRIC_NAME, request(everything, caller))
      for (const name of visible.flatMap(describedNames)) {
        if (metric !== undefined && name !== metric) continue
        const descriptions = catalog.descriptionsOf(name)
        if (descriptions.length > 0) found.set(name, descriptions)
      }
      return found
    },
  }
}
