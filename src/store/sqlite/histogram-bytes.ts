import { present } from '../../base/index.ts'
import type { Histogram, ResetHint } from '../../data/index.ts'

const HINTS: readonly ResetHint[] = ['unknown', 'reset', 'not-reset', 'gauge']

/** A histogram as float64 numbers, little-endian: NaN, infinities and −0 stay what they are. */
export function histogramToBytes(histogram: Histogram): Uint8Array {
  const { schema, count, sum, zeroThreshold, zeroCount, positive, negative, bounds, hint } = histogram
  const head = [schema, count, sum, zeroThreshold, zeroCount, HINTS.indexOf(hint)]
  const sizes = [positive.indexes.length, negative.indexes.length, bounds.length]
  const lists = [...positive.indexes, ...positive.counts, ...negative.indexes, ...negative.counts, ...bounds]
  const numbers = [...head, ...sizes, ...lists]
  const view = new DataView(new ArrayBuffer(numbers.length * 8))
  numbers.forEach((number, i) => view.setFloat64(i * 8, number, true))
  return new Uint8Array(view.buffer)
}

export function histogramFromBytes(bytes: Uint8Array): Histogram {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const numbers = Array.from({ length: bytes.byteLength / 8 }, (_, i) => view.getFloat64(i * 8, true))
  let at = 0
  const next = (): number => present(numbers[at++])
  const take = (size: number): readonly number[] => numbers.slice(at, (at += size))
  const head = { schema: next(), count: next(), sum: next(), zeroThreshold: next(), zeroCount: next() }
  const [hint, positives, negatives, boundCount] = [next(), next(), next(), next()] as const
  return {
    ...head,
    hint: present(HINTS[hint]),
    positive: { indexes: take(positives), counts: take(positives) },
    negative: { indexes: take(negatives), counts: take(negatives) },
    bounds: take(boundCount),
  }
}
