import type { Labels } from '../../data/index.ts'
import type { NewSample } from '../../store/samples/index.ts'

/** What a decoder tells of one sample. */
export interface DecodedSample extends NewSample {
  /**
   * Marks what is to be added to the last sample of its series: the number of the point that it is of, 1 for the first. Several
   * samples in a row are of one point.
   */
  readonly deltaPoint?: number
}

/** One decoded sample of one series. */
export interface MetricSample extends DecodedSample {
  readonly labels: Labels
}

/** What became of samples. */
export interface StoredSamples {
  readonly stored: number
  /** Points of deltas that are not behind the last sample of their series. */
  readonly latePoints: number
  /** Samples of new series beyond the limit. */
  readonly beyondLimit: number
}
