import type { Labels } from '../../data/index.ts'

/** A single observation as an example for the values of a series, such as the trace of a slow request. */
export interface Exemplar {
  readonly labels: Labels
  readonly value: number
  /** Milliseconds since 1970. */
  readonly timeMs: number
}
