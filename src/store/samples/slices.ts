import type { Histogram } from '../../data/index.ts'
import type { NewSample } from './new-sample.ts'
import type { SamplesSlice } from './samples-part.ts'

/** Allocates an array of `count` zeros. */
export type TakeFloats = (count: number) => Float64Array

const newFloats: TakeFloats = (count) => new Float64Array(count)

/** Number of values in a shared allocation. Longer columns get an allocation of their own. */
const PIECE_FLOATS = 16_384

/**
 * Returns an allocator that puts the columns of many series into shared allocations. Allocating and collecting an array
 * per column would take longer than filling it.
 */
export function floatChunks(): TakeFloats {
  let chunk = new Float64Array(0)
  let used = 0
  return (count) => {
    if (count > PIECE_FLOATS / 4) return new Float64Array(count)
    if (used + count > chunk.length) {
      chunk = new Float64Array(PIECE_FLOATS)
      used = 0
    }
    used += count
    return chunk.subarray(used - count, used)
  }
}

/** Concatenates slices, at least one. The times of each slice must be after those of the previous one. */
export function joinedSlices(slices: readonly SamplesSlice[], take = newFloats): SamplesSlice {
  const [only] = slices
  if (only !== undefined && slices.length === 1) return only
  let count = 0
  let isMarked = false
  let hasStarts = false
  let hasHistograms = false
  for (const slice of slices) {
    count += slice.timesMs.length
    isMarked ||= slice.staleness !== undefined
    hasStarts ||= slice.startTimesMs !== undefined
    hasHistograms ||= slice.histograms !== undefined
  }
  const timesMs = take(count)
  const values = take(count)
  const staleness = isMarked ? new Uint8Array(count) : undefined
  const startTimesMs = hasStarts ? take(count) : undefined
  const histograms = hasHistograms ? Array.from<Histogram | undefined>({ length: count }) : undefined
  let at = 0
  for (const slice of slices) {
    timesMs.set(slice.timesMs, at)
    values.set(slice.values, at)
    if (slice.staleness !== undefined) staleness?.set(slice.staleness, at)
    if (slice.startTimesMs !== undefined) startTimesMs?.set(slice.startTimesMs, at)
    if (histograms !== undefined) for (const [i, each] of slice.histograms?.entries() ?? []) histograms[at + i] = each
    at += slice.timesMs.length
  }
  return { timesMs, values, staleness, histograms, startTimesMs }
}

/** Returns the last sample of a slice before a time; `undefined` if there is none. */
export function lastBefore(slice: SamplesSlice, timeMs: number): NewSample | undefined {
  const at = slice.timesMs.findLastIndex((each) => each < timeMs)
  return at === -1 ? undefined : sampleOf(slice, at)
}

/** Returns the sample at an index. */
export function sampleOf(slice: SamplesSlice, at: number): NewSample {
  const histogram = slice.histograms?.[at]
  return {
    timeMs: slice.timesMs[at] ?? 0,
    value: slice.values[at] ?? 0,
    isStale: slice.staleness?.[at] === 1,
    startTimeMs: slice.startTimesMs?.[at] ?? 0,
    ...(histogram === undefined ? undefined : { histogram }),
  }
}

/** Merges slices, at least one, by time. Among samples at the same time, that of the last slice is used. */
export function mergedSlices(slices: readonly SamplesSlice[], take = newFloats): SamplesSlice {
  return areInOrder(slices) ? joinedSlices(slices, take) : slices.reduce((earlier, later) => mergedPair(earlier, later))
}

function areInOrder(slices: readonly SamplesSlice[]): boolean {
  let lastMs = -Infinity
  for (const { timesMs } of slices) {
    if (!(lastMs < (timesMs[0] ?? Infinity))) return false
    lastMs = timesMs[timesMs.length - 1] ?? -Infinity
  }
  return true
}

function mergedPair(earlier: SamplesSlice, later: SamplesSlice): SamplesSlice {
  const a = earlier.timesMs
  const b = later.timesMs
  const slices: SamplesSlice[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const timeA = a[i] ?? Infinity
    const timeB = b[j] ?? Infinity
    let to: number
    if (timeA < timeB) {
      for (to = i; to < a.length && (a[to] ?? Infinity) < timeB;) to++
      slices.push(subslice(earlier, i, to))
      i = to
    } else {
      for (to = j; to < b.length && (b[to] ?? Infinity) <= timeA;) to++
      slices.push(subslice(later, j, to))
      if (b[to - 1] === timeA) i++
      j = to
    }
  }
  return joinedSlices(slices)
}

/** Returns the samples in the index range `[from, to)`. */
export function subslice(
  { timesMs, values, staleness, histograms, startTimesMs }: SamplesSlice,
  from: number,
  to: number,
): SamplesSlice {
  return {
    timesMs: timesMs.subarray(from, to),
    values: values.subarray(from, to),
    staleness: staleness?.subarray(from, to),
    histograms: histograms?.slice(from, to),
    startTimesMs: startTimesMs?.subarray(from, to),
  }
}
