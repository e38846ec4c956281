import type { SeriesValue } from '../../../functions/series/index.ts'
import type { SeriesPlan } from '../../../plan/series/index.ts'

/** Receives what the nodes of one run did, for `explain --analyze` and for the statistics of an answer. */
export interface SeriesObserver {
  /**
   * A node has its value: the number of its series, and milliseconds including its inputs. Nodes of subqueries are
   * reported too.
   */
  evaluated(node: SeriesPlan, series: number, milliseconds: number, value: SeriesValue): void
  /** Samples were fetched for a select; with `isShared` an equal select had read them before. */
  fetched(node: SeriesPlan, series: number, samples: number, isShared: boolean): void
}
