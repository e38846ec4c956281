import {
  addHistograms,
  isResetBetween,
  multiplyHistogram,
  subtractHistograms,
  withHint,
  type Histogram,
} from '../../data/index.ts'

/** A point on the line from `a` to `b`; a counter that drops is taken to start from zero. */
export function interpolateFloats(a: number, b: number, fraction: number, isCounter: boolean): number {
  if (fraction === 0) return a
  if (isCounter && b < a) return b * fraction
  return a + (b - a) * fraction
}

/** As for floats; undefined when one is exponential and the other custom. */
export function interpolateHistograms(
  a: Histogram,
  b: Histogram,
  fraction: number,
  isCounter: boolean,
): Histogram | undefined {
  if (fraction === 0) return a
  if (isCounter && isResetBetween(a, b) && a.schema < -4 === b.schema < -4) return multiplyHistogram(b, fraction)
  const difference = subtractHistograms(b, a)
  if (difference === undefined) return undefined
  const sum = addHistograms(a, multiplyHistogram(difference.histogram, fraction))
  return sum === undefined ? undefined : withHint(sum.histogram, a.hint)
}
