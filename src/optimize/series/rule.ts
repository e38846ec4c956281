import type { SeriesPlan } from '../../plan/series/index.ts'

/**
 * One rewrite of a metric plan. The answer stays the same, number by number. There may be fewer notes, since series
 * that cannot be in the answer are not read. Guards are not changed. It returns the same object if there is nothing to
 * do.
 */
export interface SeriesRule {
  /** Unique name, by which a caller disables the rule. */
  readonly name: string
  /** One sentence for `explain`. */
  readonly summary: string
  apply(plan: SeriesPlan): SeriesPlan
}
