import { describe, expect, test } from 'vitest'
import { Labels } from '../../../src/data/index.ts'
import type { WindowSeries } from '../../../src/functions/series/index.ts'
import { LineSums } from '../../../src/functions/series/line-sums.ts'
import { random } from '../../backends/columnar/series/metrics.ts'

const START_MS = 1_767_225_600_000
const budget = { charge: () => undefined, checkpoint: () => undefined } as unknown as Parameters<typeof LineSums.of>[1]

function seriesOf(
  values: readonly number[],
  timesMs: readonly number[],
  windows: readonly (readonly [number, number])[],
): WindowSeries {
  return {
    labels: Labels.of({}),
    isNameDropped: false,
    timesMs: Float64Array.from(timesMs),
    values: Float64Array.from(values),
    histograms: undefined,
    startTimesMs: undefined,
    from: Int32Array.from(windows, ([from]) => from),
    to: Int32Array.from(windows, ([, to]) => to),
  }
}

/** Divides integers and returns the correctly rounded double. */
function divided(top: bigint, bottom: bigint): number {
  const scaled = (top << 200n) / bottom
  return Number(scaled) / 2 ** 200
}

/** Computes the slope with integers only; values are integers. */
function exactSlope({ timesMs, values }: WindowSeries, from: number, to: number): number {
  let [n, x, y, xy, xx] = [0n, 0n, 0n, 0n, 0n]
  for (let i = from; i < to; i++) {
    const [time, value] = [BigInt(timesMs[i] ?? 0), BigInt(values[i] ?? 0)]
    n += 1n
    x += time
    y += value
    xy += time * value
    xx += time * time
  }
  return divided((n * xy - x * y) * 1000n, n * xx - x * x)
}

const SAMPLES = 2000
const next = random(5)
const below = (count: number): number => Math.floor(next() * count)
const timesMs = Array.from({ length: SAMPLES }, (_, i) => START_MS + i * 15_000 + below(20))
const windows = Array.from({ length: 400 }, (_, i) => [i * 4, i * 4 + 9 + (i % 240)] as const)

describe('lines through windows from running sums', () => {
  test.each([
    ['a counter', (i: number) => i * 37 + below(30)],
    ['a gauge about zero', () => below(2001) - 1000],
    ['a counter that starts anew', (i: number) => (i % 300) * 1_000_003],
    ['bytes of a disk', (i: number) => 81_000_000_000 + i * 2_000_000 + below(1_000_000)],
    ['large and small', (i: number) => (i === 700 ? 16_000_000 : below(9))],
  ])('%s: slopes are those of whole numbers to the last digit or two', (_, valueAt) => {
    const series = seriesOf(
      timesMs.map((_, i) => valueAt(i)),
      timesMs,
      windows,
    )
    const sums = LineSums.of(series, budget)
    expect(sums).toBeDefined()
    for (const [from, to] of windows) {
      const exact = exactSlope(series, from, to)
      const slope = sums?.fit(from, to, START_MS)?.slope ?? NaN
      expect(Math.abs(slope - exact)).toBeLessThanOrEqual(4 * Number.EPSILON * Math.abs(exact))
    }
  })

  test('values on a line have the slope of the line in every window', () => {
    const series = seriesOf(
      timesMs.map((timeMs) => (timeMs - START_MS) / 500),
      timesMs,
      windows,
    )
    const line = LineSums.of(series, budget)?.fit(100, 200, START_MS + 3_600_000)
    expect(line?.slope).toBeCloseTo(2, 10)
    expect(line?.intercept).toBeCloseTo(7200, 7)
  })

  test('equal values are a level line, exactly', () => {
    const series = seriesOf(
      timesMs.map((_, i) => (i < 500 ? 0.1 : 7)),
      timesMs,
      windows,
    )
    expect(LineSums.of(series, budget)?.fit(480, 500, START_MS)).toEqual({ slope: 0, intercept: 0.1 })
    expect(LineSums.of(series, budget)?.fit(500, 540, START_MS)).toEqual({ slope: 0, intercept: 7 })
    expect(LineSums.of(series, budget)?.fit(490, 510, START_MS)?.slope).toBeGreaterThan(0)
  })

  test('windows that are too short or not exact are not computed from sums', () => {
    const values = timesMs.map((_, i) => i)
    const sums = (given: readonly number[], of = windows): LineSums | undefined =>
      LineSums.of(seriesOf(given, timesMs, of), budget)
    expect(sums(values)).toBeDefined()
    expect(sums(values)?.fit(10, 18, START_MS)).toBeUndefined()
    expect(sums(values, [[0, SAMPLES]])).toBeUndefined()
    for (const odd of [NaN, Infinity, -Infinity, 1e300]) expect(sums(values.with(700, odd))).toBeUndefined()
    const late = timesMs.with(SAMPLES - 1, START_MS + 2 ** 30)
    expect(LineSums.of(seriesOf(values, late, windows), budget)).toBeUndefined()
  })

  test('bytes are charged before they are taken', () => {
    const refusing = {
      ...budget,
      charge: () => {
        throw new Error('no room')
      },
    }
    expect(() => LineSums.of(seriesOf(timesMs, timesMs, windows), refusing)).toThrow('no room')
  })
})
