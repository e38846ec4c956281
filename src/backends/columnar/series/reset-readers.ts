import { seriesFunctions } from '../../../functions/series/index.ts'
import { seriesInputs, type SeriesPlan, type SeriesSelect } from '../../../plan/series/index.ts'

/**
 * Finds the selects of whose histograms only counts and sums are read. Later nodes then do not compare buckets, so
 * unknown counter resets must be resolved when the samples are read.
 */
export class ResetReaders {
  readonly #selects = new Set<SeriesSelect>()

  constructor(plan: SeriesPlan) {
    this.#visit(plan, false)
  }

  has(select: SeriesSelect): boolean {
    return this.#selects.has(select)
  }

  #visit(node: SeriesPlan, isTotalsOnly: boolean): void {
    if (node.kind === 'series-select') {
      if (isTotalsOnly) this.#selects.add(node)
      return
    }
    let below = isTotalsOnly
    const reads = node.kind === 'series-call' ? seriesFunctions.get(node.name)?.readsHistograms : undefined
    if (reads !== undefined) below = reads === 'totals'
    else if (node.kind === 'series-subquery') below = false
    else if (node.kind === 'series-binary') below = below && (node.op === '+' || node.op === '-' || node.op === '*')
    for (const input of seriesInputs(node)) this.#visit(input, below)
  }
}
