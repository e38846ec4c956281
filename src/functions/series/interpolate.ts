import {
  addHistograms,
  isResetBetween,
  multiplyHistogram,
  subtractHistograms,
  withHint,
  type Histogram,
} from '../../data/index.ts'

/** How far a time lies behind the earlier of two samples, and how far the later one does. */
export interface Between {
  readonly elapsedMs: number
  readonly spanMs: number
}

/** A point on the line from `a` to `b`; a counter that drops is taken to start from zero. */
export function interpolateFloats(a: number, b: number, at: Between, isCounter: boolean): number {
  if (at.elapsedMs === 0) return a
  const start = isCounter && b < a ? 0 : a
  return start + ((b - start) * at.elapsedMs) / at.spanMs
}

/** As for floats; undefined when one is exponential and the other custom. */
export function interpolateHistograms(
  a: Histogram,
  b: Histogram,
  at: Between,
  isCounter: boolean,
): Histogram | undefined {
  const fraction = at.elapsedMs / at.spanMs
  if (fraction === 0) return a
  if (isCounter && isResetBetween(a, b) && a.schema < -4 === b.schema < -4) return multiplyHistogram(b, fraction)
  const difference = subtractHistograms(b, a)
  if (difference === undefined) return undefined
  const sum = addHistograms(a, multiplyHistogram(difference.histogram, fraction))
  return sum === undefined ? undefined : withHint(sum.histogram, a.hint)
}
