import type { SeriesPlan } from '../../../plan/series/index.ts'

/** Told what the nodes of one run did, for `explain --analyze`. */
export interface SeriesObserver {
  /** A node has its value: series in it, and milliseconds with its inputs. Subqueries are evaluated node by node too. */
  evaluated(node: SeriesPlan, series: number, milliseconds: number): void
  /** Samples were fetched for a select. `isShared` when an equal select had read them before. */
  fetched(node: SeriesPlan, series: number, samples: number, isShared: boolean): void
}
