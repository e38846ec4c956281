import type { Labels } from '../../data/index.ts'
import type { NewSample } from '../../store/samples/index.ts'

/** A decoded sample. */
export interface DecodedSample extends NewSample {
  /**
   * Set for a delta, which must be added to the last sample of its series: the 1-based number of its point in the body.
   * Consecutive samples may belong to the same point.
   */
  readonly deltaPoint?: number
}

/** A decoded sample with the labels of its series. */
export interface MetricSample extends DecodedSample {
  readonly labels: Labels
}

/** The result of storing samples. */
export interface StoredSamples {
  readonly stored: number
  /** The number of delta points that are not later than the last sample of their series. */
  readonly latePoints: number
  /** The number of samples that were refused because their series would exceed the limit. */
  readonly beyondLimit: number
}
