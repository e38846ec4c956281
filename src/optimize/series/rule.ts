import type { SeriesPlan } from '../../plan/series/index.ts'

/**
 * One rewrite of a metric plan. The values in the answer stay exactly the same; there may be fewer annotations, because
 * fewer series are read. Guards are not changed. A rule that has nothing to change must return the same object.
 */
export interface SeriesRule {
  /** Unique name with which a caller can disable the rule. */
  readonly name: string
  /** One sentence about the rule, shown by `explain`. */
  readonly summary: string
  apply(plan: SeriesPlan): SeriesPlan
}
