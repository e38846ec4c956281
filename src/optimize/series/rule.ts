import type { SeriesPlan } from '../../plan/series/index.ts'

/**
 * One rewrite of a metric plan. The answer stays the same, number by number; notes may get fewer, since series that
 * cannot be in the answer are not looked at. Guards are left alone. With nothing to do it gives the same object back.
 */
export interface SeriesRule {
  /** Unique; what a caller switches off by. */
  readonly name: string
  /** One sentence for `explain`. */
  readonly summary: string
  apply(plan: SeriesPlan): SeriesPlan
}
