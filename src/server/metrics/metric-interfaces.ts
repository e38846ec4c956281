import type { Budget } from '../../base/index.ts'
import type { Labels } from '../../data/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import type { MetricDescription, SeriesExemplars, SeriesSamples, SeriesSpan } from '../../store/index.ts'
import type { AtNow, MetricQuery } from '../../wire/index.ts'
import type { Caller } from '../auth/caller.ts'

export interface MetricServiceAnswer {
  /** The whole answer as UTF-8 JSON, with its envelope. */
  chunks(): Iterable<Uint8Array>
}

/** Answers metric queries. Rejects with a `SluiceError` for bad ones, with a span in `Promql` or a JSON path. */
export interface MetricService {
  query(request: AtNow<MetricQuery>, caller: Caller): Promise<MetricServiceAnswer>
}

/** A query of Prometheus's API. Times in Unix ms; a step of 0 is an instant query at `startMs`. */
export interface SeriesQuery {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
  /** Maximum number of series or samples in the answer; more give a warning. */
  readonly limit: number | undefined
  /** Shortens the server's time limit, never extends it. */
  readonly timeoutMs: number | undefined
  readonly lookbackMs: number | undefined
  /** Requested cost statistics, with or without samples for each step. */
  readonly stats: 'none' | 'totals' | 'steps'
}

/** A search for series with a sample from `startMs` to `endMs`, both included, that pass any filter. */
export interface SeriesSearch {
  readonly filters: readonly (readonly LabelMatcher[])[]
  readonly startMs: number
  readonly endMs: number
}

export interface MillisecondRange {
  readonly startMs: number
  readonly endMs: number
}

/** Read API of Prometheus. Bad queries reject with a `SluiceError` with a span in `query`. */
export interface MetricReadService {
  query(query: SeriesQuery, caller: Caller): Promise<MetricServiceAnswer>
  /** Ordered by label set. */
  series(search: SeriesSearch, caller: Caller): Promise<readonly Labels[]>
  labelNames(search: SeriesSearch, caller: Caller): Promise<readonly string[]>
  labelValues(label: string, search: SeriesSearch, caller: Caller): Promise<readonly string[]>
  /** Metadata of the metrics that the caller may see, by name, each with at least one entry. */
  metadata(metric: string | undefined, caller: Caller): Promise<ReadonlyMap<string, readonly MetricDescription[]>>
  /**
   * Samples of visible series that match all matchers, both ends included, ordered by label set. Reads of files are
   * reserved in the budget first. Rejects with `budget/…`.
   */
  samples(
    filter: readonly LabelMatcher[],
    range: MillisecondRange,
    caller: Caller,
    budget: Budget,
  ): Promise<readonly SeriesSamples[]>
  /**
   * Time spans of visible series, ordered by label set; samples are read only if nothing else tells. Reads are reserved
   * in the budget first. Rejects with `budget/…`.
   */
  spans(caller: Caller, budget: Budget): Promise<readonly SeriesSpan[]>
  /** Exemplars in the range of visible series that pass any filter, ordered by label set. */
  exemplars(search: SeriesSearch, caller: Caller): Promise<readonly SeriesExemplars[]>
  /** Budget of a query of this caller; it throws when it is used up, or the caller has disconnected. */
  budget(caller: Caller): Budget
  readonly limits: Readonly<{ timeoutMs: number; limitSamples: number; lookbackMs: number }>
  /** Unix milliseconds. */
  nowMs(): number
}
