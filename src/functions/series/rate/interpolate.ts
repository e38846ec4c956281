import {
  addHistograms,
  combineHints,
  isResetBetween,
  multiplyHistogram,
  subtractHistograms,
  withHint,
  type Histogram,
} from '../../../data/index.ts'

/** A position between two samples. */
export interface Between {
  /** Time from the earlier sample to this position, ms. 0 means the earlier sample. */
  readonly elapsedMs: number
  /** Time from the earlier to the later sample, ms. 0 if both are the same sample; `elapsedMs` is 0 then. */
  readonly spanMs: number
}

/**
 * Returns the value at a position on the line from `a` to `b`. For a counter that decreases, the line starts at zero.
 */
export function interpolateFloats(a: number, b: number, at: Between, isCounter: boolean): number {
  if (at.elapsedMs === 0) return a
  const start = isCounter && b < a ? 0 : a
  return start + ((b - start) * at.elapsedMs) / at.spanMs
}

/**
 * Interpolates histograms like `interpolateFloats`; `undefined` if one is exponential and the other has custom buckets.
 */
export function interpolateHistograms(
  a: Histogram,
  b: Histogram,
  at: Between,
  isCounter: boolean,
): Histogram | undefined {
  if (at.elapsedMs === 0) return a
  const fraction = at.elapsedMs / at.spanMs
  if (isCounter && isResetBetween(a, b) && a.schema < -4 === b.schema < -4) return multiplyHistogram(b, fraction)
  const difference = subtractHistograms(b, a)
  if (difference === undefined) return undefined
  const sum = addHistograms(a, multiplyHistogram(difference.histogram, fraction))
  return sum === undefined ? undefined : withHint(sum.histogram, combineHints(a.hint, b.hint).hint)
}
