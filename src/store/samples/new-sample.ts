import type { Histogram } from '../../data/index.ts'

/** A sample to store. */
export interface NewSample {
  readonly timeMs: number
  readonly value: number
  readonly isStale?: boolean
  readonly histogram?: Histogram
  /** The time when the counter of the series started, in milliseconds since 1970; 0 if unknown. */
  readonly startTimeMs?: number
}
