import { present } from '../../src/base/index.ts'
import { isSameList, type Histogram, type Labels } from '../../src/data/index.ts'
import type { SeriesAnswer } from '../../src/backends/columnar/series/index.ts'
import type { SeriesDescription, SeriesPoint } from '../../src/alerting/testing/promtool/series/notation.ts'
import { histogramJson } from '../../src/backends/columnar/series/index.ts'

const SMALLEST_NORMAL = 2.2250738585072014e-308

/** True if two numbers are equal within a relative tolerance; NaN equals NaN. */
export function isClose(a: number, b: number, tolerance: number): boolean {
  if (Number.isNaN(a) && Number.isNaN(b)) return true
  if (a === b) return true
  const sum = Math.abs(a) + Math.abs(b)
  const difference = Math.abs(a - b)
  if (a === 0 || b === 0 || sum < SMALLEST_NORMAL) return difference < tolerance * SMALLEST_NORMAL
  return difference / Math.min(sum, Number.MAX_VALUE) < tolerance
}

const TOLERANCE = 1e-6

function areClose(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => isClose(value, present(b[i]), TOLERANCE))
}

function isSameHistogram(got: Histogram, wanted: Histogram, comparesHint: boolean): boolean {
  return (
    got.schema === wanted.schema &&
    got.zeroThreshold === wanted.zeroThreshold &&
    isSameList(got.bounds, wanted.bounds) &&
    isClose(got.count, wanted.count, TOLERANCE) &&
    isClose(got.sum, wanted.sum, TOLERANCE) &&
    isClose(got.zeroCount, wanted.zeroCount, TOLERANCE) &&
    isSameList(got.positive.indexes, wanted.positive.indexes) &&
    areClose(got.positive.counts, wanted.positive.counts) &&
    isSameList(got.negative.indexes, wanted.negative.indexes) &&
    areClose(got.negative.counts, wanted.negative.counts) &&
    (!comparesHint || got.hint === wanted.hint)
  )
}

/** A point of a computed series: a float or a histogram at one time. */
export interface GotPoint {
  readonly timeMs: number
  readonly value: number
  readonly histogram: Histogram | undefined
}

export interface GotSeries {
  readonly labels: Labels
  readonly points: readonly GotPoint[]
}

/** Converts a vector or matrix to series of points; other answers have no series. */
export function toSeries(answer: SeriesAnswer): readonly GotSeries[] {
  if (answer.type === 'vector') {
    return answer.samples.map(({ labels, value, histogram }) => ({
      labels,
      points: [{ timeMs: answer.timeMs, value, histogram }],
    }))
  }
  if (answer.type !== 'matrix') return []
  return answer.series.map(({ labels, timesMs, values, histograms }) => ({
    labels,
    points: Array.from(timesMs, (timeMs, i) => ({ timeMs, value: present(values[i]), histogram: histograms?.[i] })),
  }))
}

function describePoint(point: GotPoint): string {
  const { histogram } = point
  const text =
    histogram === undefined ? String(point.value) : `${histogramJson(histogram)} ${histogram.schema} ${histogram.hint}`
  return `${text}@${point.timeMs}`
}

function describeWanted(point: SeriesPoint): string {
  if (point.kind === 'float') return String(point.value)
  if (point.kind !== 'histogram') return point.kind
  const { histogram, hasHint } = point
  return `${histogramJson(histogram)} ${histogram.schema}${hasHint ? ` ${histogram.hint}` : ''}`
}

function comparePoint(got: GotPoint, wanted: SeriesPoint): boolean {
  if (wanted.kind === 'histogram') {
    return got.histogram !== undefined && isSameHistogram(got.histogram, wanted.histogram, wanted.hasHint)
  }
  return wanted.kind === 'float' && got.histogram === undefined && isClose(got.value, wanted.value, TOLERANCE)
}

/** Times of the expected points. */
export interface PointTimes {
  readonly startMs: number
  readonly stepMs: number
}

/** Compares computed series with the expected ones. Returns the first difference; `undefined` if there is none. */
export function compareSeries(
  got: readonly GotSeries[],
  wanted: readonly SeriesDescription[],
  times: PointTimes,
  isOrdered: boolean,
): string | undefined {
  const byKey = new Map(got.map((series) => [series.labels.key, series]))
  if (byKey.size !== got.length) return 'two series with equal labels'
  for (const [i, { labels, points }] of wanted.entries()) {
    const series = byKey.get(labels.key)
    if (series === undefined) {
      return `missing ${String(labels)}; got ${got.map((entry) => String(entry.labels)).join(' ')}`
    }
    if (isOrdered && got[i]?.labels.key !== labels.key) return `${String(labels)} is not in place ${i}`
    const expected = points
      .map((point, k) => ({ point, timeMs: times.startMs + k * times.stepMs }))
      .filter(({ point }) => point.kind !== 'omitted')
    const shown = (): string =>
      `${String(labels)}: got ${series.points.map(describePoint).join(' ')}; wanted ${points.map(describeWanted).join(' ')}`
    if (expected.length !== series.points.length) return shown()
    for (const [k, { timeMs, point }] of expected.entries()) {
      const found = present(series.points[k])
      if (found.timeMs !== timeMs || !comparePoint(found, point)) return shown()
    }
  }
  if (got.length > wanted.length) {
    const known = new Set(wanted.map(({ labels }) => labels.key))
    const extra = got.find(({ labels }) => !known.has(labels.key))
    return `unexpected ${String(extra?.labels)} ${extra?.points.map(describePoint).join(' ') ?? ''}`
  }
  return undefined
}
