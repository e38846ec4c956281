import { HistogramSum, divideHistogram, hasOverflow, multiplyHistogram } from '../../../data/index.ts'
import type { Histogram } from '../../../data/index.ts'

/** The result of combining several histograms. */
export interface HistogramFold {
  readonly histogram: Histogram
  /** True if some of the histograms follow a counter reset, and others are known not to follow one. */
  readonly hasResetCollision: boolean
  readonly hasReconciledBounds: boolean
}

class HintTracker {
  #hasReset = false
  #hasNoReset = false

  see(histogram: Histogram): void {
    if (histogram.hint === 'reset') this.#hasReset = true
    else if (histogram.hint === 'not-reset') this.#hasNoReset = true
  }

  get isCollision(): boolean {
    return this.#hasReset && this.#hasNoReset
  }
}

/** Returns the sum of one or more histograms; `undefined` if exponential and custom buckets are mixed. */
export function histogramTotal(histograms: Iterable<Histogram>): HistogramFold | undefined {
  const hints = new HintTracker()
  let sum: HistogramSum | undefined
  for (const histogram of histograms) {
    hints.see(histogram)
    if (sum === undefined) sum = new HistogramSum(histogram)
    else if (!sum.add(histogram)) return undefined
  }
  if (sum === undefined) return undefined
  return {
    histogram: sum.value,
    hasResetCollision: hints.isCollision,
    hasReconciledBounds: sum.hasReconciledBounds,
  }
}

/**
 * Returns the mean of histograms; `undefined` if exponential and custom buckets are mixed. Switches to incremental
 * computation when a number would overflow.
 */
export function histogramAverage(histograms: Iterable<Histogram>): HistogramFold | undefined {
  const hints = new HintTracker()
  let sum: HistogramSum | undefined
  let isIncremental = false
  let count = 0
  for (const histogram of histograms) {
    hints.see(histogram)
    count++
    if (sum === undefined) {
      sum = new HistogramSum(histogram)
      continue
    }
    if (!isIncremental) {
      const next = sum.copy()
      if (!next.add(histogram)) return undefined
      if (!hasOverflow(next.uncompensated)) {
        sum = next
        continue
      }
      isIncremental = true
      const seen = count - 1
      sum.scale((part) => divideHistogram(part, seen))
    }
    const weight = (count - 1) / count
    sum.scale((part) => multiplyHistogram(part, weight))
    if (!sum.add(divideHistogram(histogram, count))) return undefined
  }
  if (sum === undefined) return undefined
  if (!isIncremental) sum.scale((part) => divideHistogram(part, count))
  const histogram = sum.value
  return { histogram, hasResetCollision: hints.isCollision, hasReconciledBounds: sum.hasReconciledBounds }
}
