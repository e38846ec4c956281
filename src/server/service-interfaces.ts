import type { Budget, Diagnostic, Interval } from '../base/index.ts'
import type { Labels, RecordBatch } from '../data/index.ts'
import type { Parameters } from '../lang/log/index.ts'
import type { Dialect, LabelMatcher, LogicalPlan } from '../plan/index.ts'
import type { DataScope } from '../policy/index.ts'
import type { Arrivals, MetricDescription, SeriesExemplars, SeriesSamples, SeriesSpan } from '../store/index.ts'
import type {
  ClusterList,
  ClusterListAnswer,
  Condition,
  EventsOverTime,
  EventsOverTimeAnswer,
  MetricQuery,
  Pipeline,
  WorkloadList,
  WorkloadListAnswer,
} from '../wire/index.ts'

/** On whose behalf a request runs. */
export interface Caller {
  /** The backend by id; `undefined` where there is only one. */
  readonly backend: string | undefined
  /** What the caller's policies let through; `undefined` is everything. */
  readonly scope: DataScope | undefined
  /** Fires when the client has gone or the server stops. */
  readonly signal: AbortSignal
  /** To be told a member and its text before the text is read, so that the spans of an error find their place. */
  readonly readsText: (member: string, text: string) => void
}

/** The kinds of rows that can be searched; a pipeline may name another one for itself. */
export const searchDomains = ['logs', 'events', 'traces', 'clusters', 'workloads'] as const
export type SearchDomain = (typeof searchDomains)[number]

export interface SearchRequest extends Caller {
  readonly domain: SearchDomain
  readonly range: Interval
  readonly query: string | undefined
  readonly filters: string | undefined
  readonly sources: readonly Condition[] | undefined
  readonly pipeline: Pipeline | undefined
  /** Values of what the texts name as `$name`. */
  readonly parameters?: Parameters | undefined
  readonly dialect: Dialect
  /** What is read of the rows in place of the rows themselves. */
  readonly over?: (plan: LogicalPlan) => LogicalPlan
  /** Only what has arrived since then is read; moved on by the run. */
  readonly arrivals?: Arrivals
}

export interface SearchAnswer {
  /** True when a row stands for a group: such answers are never cut. */
  readonly isAggregate: boolean
  /** As it runs, where that is known. */
  readonly plan?: LogicalPlan
  /** Warnings and advice about the query. */
  readonly diagnostics: readonly Diagnostic[]
  /** Warnings about names that no row has which the caller may see; best called when the rows are there. */
  advice?(): Promise<readonly Diagnostic[]>
  /** The rows in answer order, in batches of any size. Can be read once; stopping early stops the query. */
  batches(): AsyncIterable<RecordBatch>
}

/** Answers the three searches. Bad queries reject with a `SluiceError`, positioned in `query` or with a JSON path. */
export interface SearchService {
  search(request: SearchRequest): Promise<SearchAnswer>
}

export interface MetricServiceAnswer {
  /** The whole answer as JSON in UTF-8, the envelope included. */
  chunks(): Iterable<Uint8Array>
}

/** Answers metric queries. Bad ones reject with a `SluiceError`, positioned in `Promql` or with a JSON path. */
export interface MetricService {
  query(request: MetricQuery, caller: Caller): Promise<MetricServiceAnswer>
}

/** One query as metric tools send it. Times in Unix milliseconds; a step of 0 is an instant query at `startMs`. */
export interface SeriesQuery {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
  /** At most so many series or samples in the answer, with a warning when there were more. */
  readonly limit: number | undefined
  /** Shortens the time limit of the server, never lengthens it. */
  readonly timeoutMs: number | undefined
  readonly lookbackMs: number | undefined
  /** What the query has cost, with the samples of each step or without. */
  readonly stats: 'none' | 'totals' | 'steps'
}

/** A question about series: those with a sample from `startMs` to `endMs`, both included, that pass any filter. */
export interface SeriesSearch {
  readonly filters: readonly (readonly LabelMatcher[])[]
  readonly startMs: number
  readonly endMs: number
}

export interface MillisecondRange {
  readonly startMs: number
  readonly endMs: number
}

/** What a stock metrics data source requests. Bad queries reject with a `SluiceError` positioned in `query`. */
export interface MetricReadService {
  query(query: SeriesQuery, caller: Caller): Promise<MetricServiceAnswer>
  /** Ordered by label set. */
  series(search: SeriesSearch, caller: Caller): Promise<readonly Labels[]>
  labelNames(search: SeriesSearch, caller: Caller): Promise<readonly string[]>
  labelValues(label: string, search: SeriesSearch, caller: Caller): Promise<readonly string[]>
  /** Descriptions of the metrics that the caller may see, by name, each with at least one. */
  metadata(metric: string | undefined, caller: Caller): Promise<ReadonlyMap<string, readonly MetricDescription[]>>
  /**
   * Samples of the series that the caller may see and that pass all matchers, both ends included, ordered by label set. What is read of
   * files is charged to the budget before. Rejects with `budget/…`.
   */
  samples(
    filter: readonly LabelMatcher[],
    range: MillisecondRange,
    caller: Caller,
    budget: Budget,
  ): Promise<readonly SeriesSamples[]>
  /**
   * When the series that the caller may see have samples, ordered by label set; samples are read only where nothing else says it. What is
   * read is charged to the budget before. Rejects with `budget/…`.
   */
  spans(caller: Caller, budget: Budget): Promise<readonly SeriesSpan[]>
  /** Exemplars in the range of the series that the caller may see and that pass any filter, ordered by label set. */
  exemplars(search: SeriesSearch, caller: Caller): Promise<readonly SeriesExemplars[]>
  /** What a question by this caller may use; throws when there is no more of it, or nobody waits. */
  budget(caller: Caller): Budget
  readonly limits: Readonly<{ timeoutMs: number; limitSamples: number; lookbackMs: number }>
  /** Unix milliseconds. */
  nowMs(): number
}

export interface EventListService {
  list(request: EventsOverTime, caller: Caller): Promise<EventsOverTimeAnswer>
}

export interface ClusterService {
  list(request: ClusterList, caller: Caller): Promise<ClusterListAnswer>
}

export interface WorkloadService {
  list(request: WorkloadList, caller: Caller): Promise<WorkloadListAnswer>
}
