import { describe, expect, test } from 'vitest'
import { Labels, kahanTotal } from '../../../src/data/index.ts'
import type { WindowSeries } from '../../../src/functions/series/index.ts'
import { meanOf, movingExtreme, movingMean, movingTotal } from '../../../src/functions/series/moving.ts'
import { SortedWindow, quantileOfSorted, sortNaNFirst } from '../../../src/functions/series/quantile.ts'
import { random } from '../../backends/columnar/series/metrics.ts'

function seriesOf(values: readonly number[]): WindowSeries {
  return {
    labels: Labels.empty,
    isNameDropped: false,
    timesMs: Float64Array.from(values, (_, i) => i),
    values: Float64Array.from(values),
    histograms: undefined,
    startTimesMs: undefined,
    from: new Int32Array(0),
    to: new Int32Array(0),
  }
}

/** Draws windows that move forward by uneven steps, sometimes past the previous end. */
function windows(size: number, next: () => number): readonly (readonly [number, number])[] {
  const list: [number, number][] = []
  let from = 0
  let to = 1
  while (to < size) {
    list.push([from, to])
    to = Math.min(size, to + Math.floor(next() * 5))
    from = Math.min(to - 1, from + Math.floor(next() * 5.2))
  }
  return list
}

const kinds: Readonly<Record<string, (next: () => number) => number>> = {
  plain: (next) => Math.round(next() * 2000) / 8 - 100,
  'with NaN and infinities': (next) => {
    const fate = next()
    if (fate < 0.05) return NaN
    return fate < 0.08 ? Infinity : fate < 0.1 ? -Infinity : fate
  },
  huge: (next) => (next() < 0.1 ? 1.2e308 : next()),
  'of two magnitudes': (next) => (next() < 0.2 ? 1e100 * (next() < 0.5 ? -1 : 1) : 1),
}

describe.each(Object.entries(kinds))('%s', (name, make) => {
  const next = random(name.length)
  const values = Array.from({ length: 400 }, () => make(next))
  const series = seriesOf(values)
  const moves = windows(values.length, next)
  const close = (got: number, wanted: number, scale: number): boolean =>
    Object.is(got, wanted) || Math.abs(got - wanted) <= 1e-12 * Math.max(scale, Math.abs(wanted))

  test('sums and means are those of each window on its own', () => {
    const total = movingTotal(series)
    const mean = movingMean(series)
    for (const [from, to] of moves) {
      const scale = Math.max(...values.slice(from, to).map((value) => (Number.isFinite(value) ? Math.abs(value) : 0)))
      const sum = kahanTotal(series.values, from, to)
      expect(close(total(from, to), sum, scale), `sum of ${from}…${to}`).toBe(true)
      const average = meanOf(series.values, from, to)
      expect(close(mean(from, to), average, scale), `mean of ${from}…${to}`).toBe(true)
    }
  })

  test.each([1, -1] as const)('extremes, direction %i', (direction) => {
    const extreme = movingExtreme(series, direction)
    for (const [from, to] of moves) {
      const numbers = values.slice(from, to).filter((value) => !Number.isNaN(value))
      const wanted = numbers.length === 0 ? NaN : direction === 1 ? Math.max(...numbers) : Math.min(...numbers)
      expect(extreme(from, to)).toBe(wanted)
    }
  })

  test('the sorted window is the window, sorted', () => {
    const window = new SortedWindow(series.values)
    for (const [from, to] of moves) {
      window.moveTo(from, to)
      const wanted = series.values.slice(from, to)
      sortNaNFirst(wanted)
      expect([...window.sorted.subarray(0, window.size)]).toEqual([...wanted])
    }
  })
})

test('a window that repeats, as under a fixed time, is answered again', () => {
  const total = movingTotal(seriesOf([1, 2, 3, 4]))
  expect([total(1, 3), total(1, 3), total(1, 4), total(3, 4)]).toEqual([5, 5, 9, 4])
})

test.each([
  [0.5, [1, 2, 3], 2],
  [0.25, [1, 2, 3, 4], 1.75],
  [-0.1, [1], -Infinity],
  [1.1, [1], Infinity],
  [NaN, [1], NaN],
  [0, [NaN, 1, 2], NaN],
])('quantile %d of %j is %d', (phi, sorted, wanted) => {
  expect(quantileOfSorted(phi, Float64Array.from(sorted), sorted.length)).toBe(wanted)
})
