import type { Histogram } from '../../data/index.ts'

/** A sample to store. */
export interface NewSample {
  readonly timeMs: number
  readonly value: number
  readonly isStale?: boolean
  readonly histogram?: Histogram
  /** The start time of its counter in milliseconds since 1970; 0 when unknown. */
  readonly startTimeMs?: number
}
