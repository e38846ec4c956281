import type { SeriesValue } from '../../../functions/series/index.ts'
import type { SeriesPlan } from '../../../plan/series/index.ts'

/** Told what the nodes of one run did, for `explain --analyze` and for the statistics of an answer. */
export interface SeriesObserver {
  /** A node has its value: series in it, and milliseconds with its inputs. Subqueries are evaluated node by node too. */
  evaluated(node: SeriesPlan, series: number, milliseconds: number, value: SeriesValue): void
  /** Samples were fetched for a select. `isShared` when an equal select had read them before. */
  fetched(node: SeriesPlan, series: number, samples: number, isShared: boolean): void
}
