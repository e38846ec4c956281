import { seriesInputs, type SeriesPlan, type SeriesSelect } from '../../../plan/series/index.ts'

const READS_TOTALS = new Set(['histogram_count', 'histogram_sum', 'histogram_avg'])
const READS_BUCKETS = new Set(['histogram_quantile', 'histogram_quantiles', 'histogram_fraction'])

/**
 * The selects of which only counts and sums of histograms are read. Buckets are then not compared later on, so what
 * is unknown about resets is settled when samples are read.
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
    if (node.kind === 'series-call' && READS_TOTALS.has(node.name)) below = true
    else if (node.kind === 'series-call' && READS_BUCKETS.has(node.name)) below = false
    else if (node.kind === 'series-subquery') below = false
    else if (node.kind === 'series-binary') below = below && (node.op === '+' || node.op === '-' || node.op === '*')
    for (const input of seriesInputs(node)) this.#visit(input, below)
  }
}
