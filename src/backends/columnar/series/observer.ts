import type { SeriesValue } from '../../../functions/series/index.ts'
import type { SeriesPlan } from '../../../plan/series/index.ts'

/** Receives events of a run, for `explain --analyze` and for the statistics of an answer. */
export interface SeriesObserver {
  /**
   * Called when a node has been evaluated, with its number of series and its duration, inputs included. Also called for
   * nodes inside subqueries.
   */
  evaluated(node: SeriesPlan, series: number, milliseconds: number, value: SeriesValue): void
  /** Called when a select has its samples. With `isShared`, an equal select had already read them. */
  fetched(node: SeriesPlan, series: number, samples: number, isShared: boolean): void
}
