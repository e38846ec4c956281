import { present } from '../base/index.ts'
import {
  CUSTOM_SCHEMA,
  exponentialBound,
  isCustom,
  isSameList,
  type BucketList,
  type Histogram,
  type ResetHint,
} from './histogram.ts'
import { kahanStep, type KahanSum } from './kahan.ts'

/** The bucket layout to which two histograms are converted before they are combined. */
export interface HistogramLayout {
  readonly schema: number
  readonly zeroThreshold: number
  readonly bounds: readonly number[]
}

/** Returns the smallest zero threshold that is at least `wanted` and not inside a populated bucket. */
function fittingThreshold(histogram: Histogram, wanted: number): number {
  let threshold = wanted
  for (const list of [histogram.positive, histogram.negative]) {
    for (const index of list.indexes) {
      if (exponentialBound(histogram.schema, index - 1) >= threshold) break
      const upper = exponentialBound(histogram.schema, index)
      if (upper > threshold) threshold = upper
    }
  }
  return threshold
}

function commonThreshold(a: Histogram, b: Histogram): number {
  if (a.zeroThreshold === b.zeroThreshold) return a.zeroThreshold
  let threshold = Math.max(a.zeroThreshold, b.zeroThreshold)
  for (;;) {
    const wider = fittingThreshold(b, fittingThreshold(a, threshold))
    if (wider === threshold) return threshold
    threshold = wider
  }
}

/**
 * Returns the layout to which both can be converted; `undefined` if one is exponential and the other has custom bounds.
 */
export function commonLayout(a: Histogram, b: Histogram): HistogramLayout | undefined {
  if (isCustom(a) !== isCustom(b)) return undefined
  if (isCustom(a)) {
    const bounds = isSameList(a.bounds, b.bounds) ? a.bounds : a.bounds.filter((bound) => b.bounds.includes(bound))
    return { schema: CUSTOM_SCHEMA, zeroThreshold: 0, bounds }
  }
  return { schema: Math.min(a.schema, b.schema), zeroThreshold: commonThreshold(a, b), bounds: [] }
}

/** Maps buckets to new indexes and adds the counts of buckets that get the same index. The new indexes must ascend. */
function reindex(list: BucketList, newIndex: (index: number) => number): BucketList {
  const indexes: number[] = []
  const counts: number[] = []
  for (let i = 0; i < list.indexes.length; i++) {
    const index = newIndex(list.indexes[i] ?? 0)
    const last = indexes.length - 1
    if (last >= 0 && indexes[last] === index) {
      counts[last] = (counts[last] ?? 0) + (list.counts[i] ?? 0)
    } else {
      indexes.push(index)
      counts.push(list.counts[i] ?? 0)
    }
  }
  return { indexes, counts }
}

function toCustomBounds(histogram: Histogram, bounds: readonly number[]): Histogram {
  if (isSameList(histogram.bounds, bounds)) return histogram
  const positive = reindex(histogram.positive, (index) => {
    const upper = index >= histogram.bounds.length ? Infinity : histogram.bounds[index]
    let at = 0
    while (at < bounds.length && (bounds[at] ?? 0) < present(upper)) at++
    return at
  })
  return { ...histogram, positive, bounds }
}

/** Splits buckets into those inside the zero threshold, whose counts are summed, and all others. */
function splitAtZero(schema: number, list: BucketList, threshold: number): { inside: number; outside: BucketList } {
  let inside = 0
  let from = 0
  for (; from < list.indexes.length; from++) {
    if (exponentialBound(schema, (list.indexes[from] ?? 0) - 1) >= threshold) break
    inside += list.counts[from] ?? 0
  }
  if (from === 0) return { inside, outside: list }
  return { inside, outside: { indexes: list.indexes.slice(from), counts: list.counts.slice(from) } }
}

/** Returns the histogram converted to coarser buckets. */
export function toLayout(histogram: Histogram, layout: HistogramLayout): Histogram {
  if (isCustom(histogram)) return toCustomBounds(histogram, layout.bounds)
  let result = histogram
  if (histogram.zeroThreshold !== layout.zeroThreshold) {
    const positive = splitAtZero(histogram.schema, histogram.positive, layout.zeroThreshold)
    const negative = splitAtZero(histogram.schema, histogram.negative, layout.zeroThreshold)
    result = {
      ...histogram,
      zeroThreshold: layout.zeroThreshold,
      zeroCount: histogram.zeroCount + positive.inside + negative.inside,
      positive: positive.outside,
      negative: negative.outside,
    }
  }
  if (histogram.schema === layout.schema) return result
  const perBucket = 2 ** (histogram.schema - layout.schema)
  const coarser = (index: number): number => Math.ceil(index / perBucket)
  return {
    ...result,
    schema: layout.schema,
    positive: reindex(result.positive, coarser),
    negative: reindex(result.negative, coarser),
  }
}

function mergeBuckets(a: BucketList, b: BucketList, sign: 1 | -1): BucketList {
  const indexes: number[] = []
  const counts: number[] = []
  let i = 0
  let j = 0
  while (i < a.indexes.length || j < b.indexes.length) {
    const x = i < a.indexes.length ? a.indexes[i] : Infinity
    const y = j < b.indexes.length ? b.indexes[j] : Infinity
    let count = 0
    if (present(x) <= present(y)) count += a.counts[i++] ?? 0
    if (present(y) <= present(x)) count += sign * (b.counts[j++] ?? 0)
    if (count === 0) continue
    indexes.push(Math.min(present(x), present(y)))
    counts.push(count)
  }
  return { indexes, counts }
}

/** The result of combining two histograms, with flags for annotations. */
export interface Combined {
  readonly histogram: Histogram
  /** True if the hint of one histogram is `reset` and that of the other is `not-reset`. */
  readonly hasResetCollision: boolean
  /** True if the custom bounds of the two histograms differed, so that only their common bounds were kept. */
  readonly hasReconciledBounds: boolean
}

/**
 * Combines reset hints. Equal hints are kept, else `gauge` wins, then `unknown`. `reset` with `not-reset` is a
 * collision and gives `unknown`.
 */
export function combineHints(a: ResetHint, b: ResetHint): { hint: ResetHint; isCollision: boolean } {
  if (a === b) return { hint: a, isCollision: false }
  if (a === 'gauge' || b === 'gauge') return { hint: 'gauge', isCollision: false }
  return { hint: 'unknown', isCollision: a !== 'unknown' && b !== 'unknown' }
}

function combine(a: Histogram, b: Histogram, sign: 1 | -1): Combined | undefined {
  const layout = commonLayout(a, b)
  if (layout === undefined) return undefined
  const x = toLayout(a, layout)
  const y = toLayout(b, layout)
  const { hint, isCollision } = combineHints(a.hint, b.hint)
  return {
    histogram: {
      ...layout,
      count: a.count + sign * b.count,
      sum: a.sum + sign * b.sum,
      zeroCount: x.zeroCount + sign * y.zeroCount,
      positive: mergeBuckets(x.positive, y.positive, sign),
      negative: mergeBuckets(x.negative, y.negative, sign),
      hint: sign === -1 ? 'gauge' : hint,
    },
    hasResetCollision: isCollision,
    hasReconciledBounds: isCustom(a) && !isSameList(a.bounds, b.bounds),
  }
}

/** Returns the sum; `undefined` if one is exponential and the other has custom bounds. */
export function addHistograms(a: Histogram, b: Histogram): Combined | undefined {
  return combine(a, b, 1)
}

/** Returns the difference, which is a gauge; `undefined` if one is exponential and the other has custom bounds. */
export function subtractHistograms(a: Histogram, b: Histogram): Combined | undefined {
  return combine(a, b, -1)
}

function isAnyBucketLower(current: BucketList, previous: BucketList): boolean {
  let j = 0
  for (let i = 0; i < previous.indexes.length; i++) {
    const index = previous.indexes[i]
    while (j < current.indexes.length && (current.indexes[j] ?? 0) < present(index)) {
      if ((current.counts[j] ?? 0) < 0) return true
      j++
    }
    const count = j < current.indexes.length && current.indexes[j] === index ? current.counts[j] : 0
    if (present(count) < (previous.counts[i] ?? 0)) return true
  }
  return false
}

/** Returns whether a counter was reset between two of its samples. A gauge is treated as if its hint were unknown. */
export function isResetBetween(previous: Histogram, current: Histogram): boolean {
  if (current.hint === 'reset') return true
  if (current.hint === 'not-reset') return false
  if (current.count < previous.count) return true
  const layout = commonLayout(previous, current)
  if (layout === undefined) return true
  if (!isCustom(current)) {
    if (current.schema > previous.schema || current.zeroThreshold < previous.zeroThreshold) return true
    if (layout.zeroThreshold !== current.zeroThreshold) return true
  }
  const before = toLayout(previous, layout)
  const after = toLayout(current, layout)
  return (
    after.zeroCount < before.zeroCount ||
    isAnyBucketLower(after.positive, before.positive) ||
    isAnyBucketLower(after.negative, before.negative)
  )
}

interface CompensatedBuckets {
  readonly indexes: number[]
  readonly sums: number[]
  readonly compensations: number[]
}

function addBuckets(total: BucketList, rest: BucketList, added: BucketList): CompensatedBuckets {
  const result: CompensatedBuckets = { indexes: [], sums: [], compensations: [] }
  const state: KahanSum = { sum: 0, compensation: 0 }
  const lists = [total, rest, added] as const
  const at = [0, 0, 0]
  for (;;) {
    let next = Infinity
    for (const [k, list] of lists.entries()) next = Math.min(next, list.indexes[at[k] ?? 0] ?? Infinity)
    if (next === Infinity) return result
    const [sum = 0, compensation = 0, addend = 0] = lists.map(({ indexes, counts }, k) => {
      const index = at[k] ?? 0
      if (indexes[index] !== next) return 0
      at[k] = index + 1
      return counts[index]
    })
    state.sum = sum
    state.compensation = compensation
    kahanStep(state, addend)
    result.indexes.push(next)
    result.sums.push(state.sum)
    result.compensations.push(state.compensation)
  }
}

function stepped(sum: number, compensation: number, value: number): KahanSum {
  const state: KahanSum = { sum, compensation }
  kahanStep(state, value)
  return state
}

/** A sum of histograms with compensated (Kahan) summation of every number in it. */
export class HistogramSum {
  #total: Histogram
  /** The compensation terms, as a histogram of the same layout. */
  #rest: Histogram
  hasReconciledBounds = false

  constructor(first: Histogram) {
    this.#total = first
    this.#rest = { ...first, count: 0, sum: 0, zeroCount: 0, positive: noBuckets, negative: noBuckets }
  }

  /** Adds a histogram. Returns false and adds nothing if one is exponential and the other has custom bounds. */
  add(histogram: Histogram): boolean {
    const layout = commonLayout(this.#total, histogram)
    if (layout === undefined) return false
    if (isCustom(histogram) && !isSameList(this.#total.bounds, histogram.bounds)) this.hasReconciledBounds = true
    const total = toLayout(this.#total, layout)
    const rest = toLayout(this.#rest, layout)
    const added = toLayout(histogram, layout)
    const count = stepped(total.count, rest.count, added.count)
    const sum = stepped(total.sum, rest.sum, added.sum)
    const zero = stepped(total.zeroCount, rest.zeroCount, added.zeroCount)
    const positive = addBuckets(total.positive, rest.positive, added.positive)
    const negative = addBuckets(total.negative, rest.negative, added.negative)
    const { hint } = combineHints(total.hint, histogram.hint)
    this.#total = {
      ...layout,
      count: count.sum,
      sum: sum.sum,
      zeroCount: zero.sum,
      positive: { indexes: positive.indexes, counts: positive.sums },
      negative: { indexes: negative.indexes, counts: negative.sums },
      hint,
    }
    this.#rest = {
      ...layout,
      count: count.compensation,
      sum: sum.compensation,
      zeroCount: zero.compensation,
      positive: { indexes: positive.indexes, counts: positive.compensations },
      negative: { indexes: negative.indexes, counts: negative.compensations },
      hint,
    }
    return true
  }

  /** Applies a function, such as a division, to the sum and its compensation. */
  scale(change: (histogram: Histogram) => Histogram): void {
    this.#total = change(this.#total)
    this.#rest = change(this.#rest)
  }

  /** The sum without compensation, which shows whether numbers have overflowed. */
  get uncompensated(): Histogram {
    return this.#total
  }

  copy(): HistogramSum {
    const copy = new HistogramSum(this.#total)
    copy.#rest = this.#rest
    copy.hasReconciledBounds = this.hasReconciledBounds
    return copy
  }

  get value(): Histogram {
    const total = this.#total
    const rest = this.#rest
    return {
      ...total,
      count: total.count + rest.count,
      sum: total.sum + rest.sum,
      zeroCount: total.zeroCount + rest.zeroCount,
      positive: mergeBuckets(total.positive, rest.positive, 1),
      negative: mergeBuckets(total.negative, rest.negative, 1),
    }
  }
}

const noBuckets: BucketList = { indexes: [], counts: [] }
