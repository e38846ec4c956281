import type { Histogram, Labels } from '../../data/index.ts'
import type { ExplainTree } from '../../plan/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../plan/series/index.ts'
import type { Exemplar } from './exemplar.ts'

/** The samples of one series in a time range, by ascending time, as columns of equal length. Never written to again. */
export interface SeriesSamples {
  readonly labels: Labels
  /** Unix milliseconds. */
  readonly timesMs: Float64Array
  readonly values: Float64Array
  /** 1 where the sample is a staleness marker; kept apart, since a NaN's bits do not survive copying. */
  readonly staleness: Uint8Array | undefined
  /** One entry a sample when any of them is a histogram. */
  readonly histograms: readonly (Histogram | undefined)[] | undefined
  /** When the counter behind a sample started, 0 where unknown. */
  readonly startTimesMs: Float64Array | undefined
}

/** When a series has samples, Unix milliseconds, both included. */
export interface SeriesSpan {
  readonly labels: Labels
  readonly firstMs: number
  readonly lastMs: number
}

/** The exemplars of one series in a time range, by time. */
export interface SeriesExemplars {
  readonly labels: Labels
  readonly exemplars: readonly Exemplar[]
}

export interface SeriesFilter {
  readonly matchers: readonly LabelMatcher[]
  /** What the caller may see; tested before anything else. */
  readonly guard: LabelPredicate | undefined
}

export interface SampleRequest extends SeriesFilter {
  /** Exclusive. */
  readonly startMs: number
  /** Inclusive. */
  readonly endMs: number
  /** True when only times and staleness are looked at: a source may give any values and leave histograms out. */
  readonly isPresenceOnly?: boolean | undefined
  /** Asked now and then by a source that has to wait. Throws `budget/…` when the query must stop. */
  readonly checkpoint?: (() => void) | undefined
  /** Told of bytes before a source takes them for its answer. Throws `budget/…` when there are too many. */
  readonly charge?: ((bytes: number) => void) | undefined
}

/** How a source would read what a select asks for. */
export interface SampleExplanation {
  /** What the source does itself, and why. */
  readonly notes: readonly string[]
  /** Its own queries. */
  readonly inputs: readonly ExplainTree[]
}

/** Where a metric query gets its samples from. Answers are ordered by label set. */
export interface SampleSource {
  select(request: SampleRequest): readonly SeriesSamples[] | Promise<readonly SeriesSamples[]>
  /** Label sets that have a sample in the range and pass any of the filters; all of them without a filter. */
  series(request: MetadataRequest): readonly Labels[] | Promise<readonly Labels[]>
  /** Series with samples at any time, and when, without reading samples; a source that cannot say leaves it out. */
  spans?(filter: SeriesFilter): readonly SeriesSpan[]
  /** Exemplars from start to end, both included, of the series that pass any of the filters; a source may have none. */
  exemplars?(request: MetadataRequest): readonly SeriesExemplars[] | Promise<readonly SeriesExemplars[]>
  /** Reads nothing; for a source that asks others. */
  explain?(request: SampleRequest): SampleExplanation
}

export interface MetadataRequest {
  /** A series must pass one of these. Without any, every series passes that the guard lets through. */
  readonly filters: readonly (readonly LabelMatcher[])[]
  readonly guard: LabelPredicate | undefined
  readonly startMs: number
  readonly endMs: number
}
