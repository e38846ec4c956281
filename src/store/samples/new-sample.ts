import type { Histogram } from '../../data/index.ts'

/** One sample on its way into a store. */
export interface NewSample {
  readonly timeMs: number
  readonly value: number
  readonly isStale?: boolean
  readonly histogram?: Histogram
  /** 0 when unknown. */
  readonly startTimeMs?: number
}
