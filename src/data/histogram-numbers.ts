import type { Histogram, ResetHint } from './histogram.ts'

const HINTS: readonly ResetHint[] = ['unknown', 'reset', 'not-reset', 'gauge']

/** The number of values before the bucket lists. */
const HEAD = 9

/**
 * Encodes a histogram as a list of numbers: schema, count, sum, zero threshold, zero count, hint, the lengths of the
 * three lists that follow (positive buckets, negative buckets, bounds). Bucket lists consist of indexes and counts.
 */
export function histogramNumbers(histogram: Histogram): readonly number[] {
  const { schema, count, sum, zeroThreshold, zeroCount, positive, negative, bounds, hint } = histogram
  const head = [schema, count, sum, zeroThreshold, zeroCount, HINTS.indexOf(hint)]
  const sizes = [positive.indexes.length, negative.indexes.length, bounds.length]
  const lists = [...positive.indexes, ...positive.counts, ...negative.indexes, ...negative.counts, ...bounds]
  return [...head, ...sizes, ...lists]
}

/** Decodes a list that `histogramNumbers` wrote; `undefined` if a length or the hint is invalid. */
export function histogramOfNumbers(numbers: Float64Array): Histogram | undefined {
  if (numbers.length < HEAD) return undefined
  const [schema = 0, count = 0, sum = 0, zeroThreshold = 0, zeroCount = 0, hintCode = -1] = numbers
  const hint = HINTS[hintCode]
  const [positives = 0, negatives = 0, boundCount = 0] = numbers.subarray(HEAD - 3)
  if (hint === undefined || numbers.length !== HEAD + 2 * positives + 2 * negatives + boundCount) return undefined
  let at = HEAD
  const take = (size: number): readonly number[] => [...numbers.subarray(at, (at += size))]
  return {
    schema,
    count,
    sum,
    zeroThreshold,
    zeroCount,
    positive: { indexes: take(positives), counts: take(positives) },
    negative: { indexes: take(negatives), counts: take(negatives) },
    bounds: take(boundCount),
    hint,
  }
}
