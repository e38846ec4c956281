import type { Budget } from '../../base/index.ts'
import type { Labels } from '../../data/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import type { MetricDescription, SeriesExemplars, SeriesSamples, SeriesSpan } from '../../store/index.ts'
import type { AtNow, MetricQuery } from '../../wire/index.ts'
import type { Caller } from '../auth/caller.ts'

export interface MetricServiceAnswer {
  /** Yields the complete answer, with its envelope, as UTF-8 JSON. */
  chunks(): Iterable<Uint8Array>
}

/** Answers metric queries. An invalid query rejects with a `SluiceError`, with a span in `Promql` or a JSON path. */
export interface MetricService {
  query(request: AtNow<MetricQuery>, caller: Caller): Promise<MetricServiceAnswer>
}

/** A query of Prometheus's API. Times are Unix ms. A step of 0 means an instant query at `startMs`. */
export interface SeriesQuery {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
  /** Maximum number of series or samples in the answer. An answer that is cut has a warning. */
  readonly limit: number | undefined
  /** Time limit of the query; it cannot exceed the server's. */
  readonly timeoutMs: number | undefined
  readonly lookbackMs: number | undefined
  /** Cost statistics to return, optionally with samples for each step. */
  readonly stats: 'none' | 'totals' | 'steps'
}

/** A search for series that match any of the filters and have a sample between `startMs` and `endMs`, inclusive. */
export interface SeriesSearch {
  readonly filters: readonly (readonly LabelMatcher[])[]
  readonly startMs: number
  readonly endMs: number
}

export interface MillisecondRange {
  readonly startMs: number
  readonly endMs: number
}

/** Prometheus's read API. Invalid queries reject with a `SluiceError` with a span in `query`. */
export interface MetricReadService {
  query(query: SeriesQuery, caller: Caller): Promise<MetricServiceAnswer>
  /** Returns the label sets of the series that were found, in ascending order. */
  series(search: SeriesSearch, caller: Caller): Promise<readonly Labels[]>
  labelNames(search: SeriesSearch, caller: Caller): Promise<readonly string[]>
  labelValues(label: string, search: SeriesSearch, caller: Caller): Promise<readonly string[]>
  /**
   * Returns the metadata of the metrics that the caller may see, by metric name; each metric has at least one entry.
   */
  metadata(metric: string | undefined, caller: Caller): Promise<ReadonlyMap<string, readonly MetricDescription[]>>
  /**
   * Samples of visible series that match all matchers, both ends inclusive, sorted by label set. Memory for reads of
   * files is reserved in the budget first. Rejects with `budget/…`.
   */
  samples(
    filter: readonly LabelMatcher[],
    range: MillisecondRange,
    caller: Caller,
    budget: Budget,
  ): Promise<readonly SeriesSamples[]>
  /**
   * Returns the time spans of visible series, sorted by label set. Reads samples only if metadata does not suffice,
   * after reserving memory in the budget. Rejects with `budget/…`.
   */
  spans(caller: Caller, budget: Budget): Promise<readonly SeriesSpan[]>
  /** Returns exemplars in the range from visible series that match any filter, sorted by label set. */
  exemplars(search: SeriesSearch, caller: Caller): Promise<readonly SeriesExemplars[]>
  /** Creates the budget of a query. The budget throws when it is used up or the caller has disconnected. */
  budget(caller: Caller): Budget
  readonly limits: Readonly<{ timeoutMs: number; limitSamples: number; lookbackMs: number }>
  /** Returns the current time, Unix ms. */
  nowMs(): number
}
