import type { Labels } from '../../data/index.ts'

/** One observation that stands for others, such as the trace of a slow request. */
export interface Exemplar {
  readonly labels: Labels
  readonly value: number
  /** Unix milliseconds. */
  readonly timeMs: number
}
