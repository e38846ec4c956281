import type { Budget } from '../../base/index.ts'
import type { Labels } from '../../data/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import type { MetricDescription, SeriesExemplars, SeriesSamples, SeriesSpan } from '../../store/index.ts'
import type { MetricQuery } from '../../wire/index.ts'
import type { Caller } from '../auth/caller.ts'

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
