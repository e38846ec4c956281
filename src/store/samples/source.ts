import type { Histogram, Labels } from '../../data/index.ts'
import type { ExplainTree } from '../../plan/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../plan/series/index.ts'
import type { Exemplar } from './exemplar.ts'

/**
 * The samples of one series in a time range, as columns of equal length, in ascending order of time. Never changed
 * afterwards.
 */
export interface SeriesSamples {
  readonly labels: Labels
  /** Milliseconds since 1970. */
  readonly timesMs: Float64Array
  readonly values: Float64Array
  /**
   * 1 for each sample that is a staleness marker; `undefined` if none is. Separate from the values, because copying a
   * NaN may change its bits.
   */
  readonly staleness: Uint8Array | undefined
  /** For each sample, its histogram; `undefined` if no sample is a histogram. */
  readonly histograms: readonly (Histogram | undefined)[] | undefined
  /** For each sample, the time when its counter started, in milliseconds since 1970; 0 if unknown. */
  readonly startTimesMs: Float64Array | undefined
}

/** The times of the first and last sample of a series, in milliseconds since 1970. */
export interface SeriesSpan {
  readonly labels: Labels
  readonly firstMs: number
  readonly lastMs: number
}

/** The exemplars of one series in a time range, ordered by time. */
export interface SeriesExemplars {
  readonly labels: Labels
  readonly exemplars: readonly Exemplar[]
}

export interface SeriesFilter {
  readonly matchers: readonly LabelMatcher[]
  /** The label sets that the caller may see. Tested before anything else. */
  readonly guard: LabelPredicate | undefined
}

export interface SampleRequest extends SeriesFilter {
  /** Start of the range in milliseconds since 1970, exclusive. */
  readonly startMs: number
  /** End of the range in milliseconds since 1970, inclusive. */
  readonly endMs: number
  /** True if only times and staleness are used. A source may then return arbitrary values and omit histograms. */
  readonly isPresenceOnly?: boolean | undefined
  /** Called regularly by a source that waits. Throws `budget/…` if the query must stop. */
  readonly checkpoint?: (() => void) | undefined
  /**
   * Called with a number of bytes before a source allocates them for its answer. Throws `budget/…` if they exceed the
   * budget.
   */
  readonly charge?: ((bytes: number) => void) | undefined
}

/** Explains how a source would read a request. */
export interface SampleExplanation {
  /** Notes on what the source does itself, with reasons. */
  readonly notes: readonly string[]
  /** The queries that the source would run. */
  readonly inputs: readonly ExplainTree[]
}

/** A source of samples for metric queries. Answers are ordered by label set. */
export interface SampleSource {
  select(request: SampleRequest): readonly SeriesSamples[] | Promise<readonly SeriesSamples[]>
  /**
   * Returns the label sets of the series that have a sample in the range and pass at least one filter, or any series if
   * there are no filters.
   */
  series(request: MetadataRequest): readonly Labels[] | Promise<readonly Labels[]>
  /**
   * Returns the series that have samples at any time, with their time spans, without reading samples. Absent if the
   * source cannot do this.
   */
  spans?(filter: SeriesFilter): readonly SeriesSpan[]
  /**
   * Returns the exemplars in the range, both ends included, of the series that pass at least one filter. Absent if the
   * source has no exemplars.
   */
  exemplars?(request: MetadataRequest): readonly SeriesExemplars[] | Promise<readonly SeriesExemplars[]>
  /** Explains a request without reading data. Present if the source runs queries of its own. */
  explain?(request: SampleRequest): SampleExplanation
}

export interface MetadataRequest {
  /**
   * A series must pass at least one of these lists of matchers. If there are none, all series that pass the guard are
   * selected.
   */
  readonly filters: readonly (readonly LabelMatcher[])[]
  readonly guard: LabelPredicate | undefined
  readonly startMs: number
  readonly endMs: number
}
