import type { Histogram, Labels } from '../../data/index.ts'
import type { ExplainTree } from '../../plan/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../plan/series/index.ts'
import type { Exemplar } from './exemplar.ts'

/**
 * The samples of one series in a time range, in ascending order of time, as columns of equal length. Never written to
 * again.
 */
export interface SeriesSamples {
  readonly labels: Labels
  /** Milliseconds since 1970. */
  readonly timesMs: Float64Array
  readonly values: Float64Array
  /** 1 where the sample is a staleness marker. It is separate, since copying does not preserve the bits of a NaN. */
  readonly staleness: Uint8Array | undefined
  /** Histograms with one entry for each sample, when any sample is one. */
  readonly histograms: readonly (Histogram | undefined)[] | undefined
  /** The start time of each sample's counter in milliseconds since 1970; 0 when unknown. */
  readonly startTimesMs: Float64Array | undefined
}

/** The times of the first and the last sample of a series in milliseconds since 1970, both inclusive. */
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
  /** The labels that the caller may see; tested before anything else. */
  readonly guard: LabelPredicate | undefined
}

export interface SampleRequest extends SeriesFilter {
  /** The start of the range in milliseconds since 1970, exclusive. */
  readonly startMs: number
  /** The end of the range in milliseconds since 1970, inclusive. */
  readonly endMs: number
  /** True when only times and staleness are used: a source may then return any values and omit histograms. */
  readonly isPresenceOnly?: boolean | undefined
  /** Called at intervals by a source that has to wait. Throws `budget/…` when the query must stop. */
  readonly checkpoint?: (() => void) | undefined
  /**
   * Called with a number of bytes before a source allocates them for its answer. Throws `budget/…` when there are too
   * many.
   */
  readonly charge?: ((bytes: number) => void) | undefined
}

/** Describes how a source would read a request. */
export interface SampleExplanation {
  /** Notes on what the source does itself, and why. */
  readonly notes: readonly string[]
  /** The source's own queries. */
  readonly inputs: readonly ExplainTree[]
}

/** A source of samples for metric queries. Answers are ordered by label set. */
export interface SampleSource {
  select(request: SampleRequest): readonly SeriesSamples[] | Promise<readonly SeriesSamples[]>
  /**
   * Returns the label sets that have a sample in the range and pass any of the filters; all of them without a filter.
   */
  series(request: MetadataRequest): readonly Labels[] | Promise<readonly Labels[]>
  /**
   * Returns the series that have samples at any time, with their time spans, without reading samples. Sources that
   * cannot do this omit the method.
   */
  spans?(filter: SeriesFilter): readonly SeriesSpan[]
  /**
   * Returns exemplars in the range, both ends inclusive, of series that pass any of the filters. Sources without
   * exemplars omit the method.
   */
  exemplars?(request: MetadataRequest): readonly SeriesExemplars[] | Promise<readonly SeriesExemplars[]>
  /** Explains a request without reading anything; for sources that query others. */
  explain?(request: SampleRequest): SampleExplanation
}

export interface MetadataRequest {
  /**
   * A series must pass at least one of these filters. Without filters, every series that passes the guard is selected.
   */
  readonly filters: readonly (readonly LabelMatcher[])[]
  readonly guard: LabelPredicate | undefined
  readonly startMs: number
  readonly endMs: number
}
