import { describe, expect, test } from 'vitest'
import { runWithBudget } from '../../../src/base/index.ts'
import { DEFAULT_FLAGS } from '../../../src/backends/columnar/series/index.ts'
import { fillWindows } from '../../../src/backends/columnar/series/range.ts'
import { Labels } from '../../../src/data/index.ts'
import { seriesFunctions, type SeriesColumn, type WindowSeries } from '../../../src/functions/series/index.ts'
import { MOST_SAMPLES } from '../../../src/functions/series/rate/rate-kernel.ts'
import { random } from '../../backends/columnar/series/metrics.ts'

const START_MS = 1_767_225_600_000
const RANGE_MS = 60_000

interface Samples {
  readonly timesMs: readonly number[]
  readonly values: readonly number[]
  readonly startTimesMs?: readonly number[]
}

/** Returns the results of a function for the windows of one series, bit for bit. */
function ratesOf(name: string, { timesMs, values, startTimesMs }: Samples, endsMs: Float64Array, rangeMs = RANGE_MS) {
  const series: WindowSeries = {
    labels: Labels.of({ __name__: 'hits_total' }),
    isNameDropped: false,
    timesMs: Float64Array.from(timesMs),
    values: Float64Array.from(values),
    histograms: undefined,
    startTimesMs: startTimesMs && Float64Array.from(startTimesMs),
    from: new Int32Array(endsMs.length),
    to: new Int32Array(endsMs.length),
  }
  fillWindows(series.timesMs, endsMs, rangeMs, series.from, series.to)
  const fn = seriesFunctions.get(name)
  if (fn === undefined || !('evaluate' in fn)) throw new Error(`${name} is no function of windows`)
  const args = [{ kind: 'matrix', series: [series], rangeMs, endsMs, extension: 'none', lookbackMs: 0 }] as const
  const result = fn.evaluate(args, {
    query: { startMs: 0, endMs: 0, stepMs: 0 },
    steps: { timesMs: endsMs, count: endsMs.length },
    flags: DEFAULT_FLAGS,
    budget: { charge: () => undefined, samples: () => undefined, checkpoint: () => undefined },
    annotate: () => undefined,
    origin: { kind: 'none' },
    argPlans: [{ kind: 'series-number', value: 0, origin: { kind: 'none' } }],
  })
  if (!('kind' in result) || result.kind !== 'vector') throw new Error('a rate is a vector')
  return bitsOf(result.series[0], endsMs.length)
}

function bitsOf(column: SeriesColumn | undefined, stepCount: number): readonly string[] {
  return Array.from({ length: stepCount }, (_, step) => {
    if (column === undefined || column.kinds[step] === 0) return '-'
    const value = column.values[step] ?? 0
    return Number.isNaN(value) ? 'NaN' : String(new BigUint64Array(Float64Array.of(value).buffer)[0])
  })
}

/** Adds `MOST_SAMPLES` samples long before the first window, which the loop must skip. */
function withLongPast({ timesMs, values }: Samples): Samples {
  const past = Array.from({ length: MOST_SAMPLES }, (_, i) => START_MS - 1e9 + i)
  return { timesMs: [...past, ...timesMs], values: [...past.map(() => 1), ...values] }
}

function drawn(draw: () => number, size: number): Samples {
  let timeMs = START_MS
  let total = 0
  const special = [NaN, Infinity, -Infinity, -0, 0, -3, Number.MAX_VALUE, 5e-324]
  const timesMs = Array.from({ length: size }, () => (timeMs += 1 + Math.floor(draw() ** 4 * 60_000)))
  const values = timesMs.map(() => {
    if (draw() < 0.05) return special[Math.floor(draw() * special.length)] ?? 0
    return (total = draw() < 0.1 ? 0 : total + draw() * 100)
  })
  return { timesMs, values }
}

function endsFrom(count: number, stepMs: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => START_MS - RANGE_MS + i * stepMs)
}

describe.each(['rate', 'increase', 'delta'])('%s by the kernel', (name) => {
  test('is that of the loop, to the bit', () => {
    const draw = random(11)
    for (let round = 0; round < 60; round++) {
      const samples = drawn(draw, Math.floor(draw() * 300))
      const endsMs = endsFrom(1 + Math.floor(draw() * 1400), 1 + Math.floor(draw() * 20_000))
      expect(ratesOf(name, samples, endsMs)).toEqual(ratesOf(name, withLongPast(samples), endsMs))
    }
  })

  test('of windows that do not move is one number', () => {
    const samples = drawn(random(3), 100)
    const endsMs = new Float64Array(1200).fill(START_MS + RANGE_MS)
    const all = ratesOf(name, samples, endsMs)
    expect(new Set(all)).toEqual(new Set([all[0]]))
    expect(all[0]).not.toBe('-')
    expect(all).toEqual(ratesOf(name, withLongPast(samples), endsMs))
  })

  test('needs two samples in a window', () => {
    const samples = { timesMs: [START_MS, START_MS + RANGE_MS], values: [1, 2] }
    expect(ratesOf(name, samples, Float64Array.of(START_MS - 1, START_MS, START_MS + RANGE_MS - 1))).toEqual([
      '-',
      '-',
      '-',
    ])
    expect(ratesOf(name, { timesMs: [], values: [] }, endsFrom(3, 1000))).toEqual(['-', '-', '-'])
    expect(ratesOf(name, samples, Float64Array.of(START_MS + RANGE_MS), RANGE_MS + 1)).not.toEqual(['-'])
  })

  test('does not mind start times before every window', () => {
    const samples = drawn(random(5), 200)
    const endsMs = Float64Array.from({ length: 300 }, (_, i) => START_MS + RANGE_MS + i * 5000)
    const since = (startMs: number): Samples => ({ ...samples, startTimesMs: samples.timesMs.map(() => startMs) })
    expect(ratesOf(name, since(START_MS - 5000), endsMs)).toEqual(ratesOf(name, samples, endsMs))
    expect(ratesOf(name, since(START_MS), endsMs)).toEqual(ratesOf(name, samples, endsMs))
  })
})

test('a start time inside a window tells the counter was zero', () => {
  const samples = { timesMs: [START_MS + 1000, START_MS + 2000], values: [5, 6] }
  const endsMs = Float64Array.of(START_MS + 3000)
  const since = { ...samples, startTimesMs: [START_MS, START_MS] }
  expect(ratesOf('increase', since, endsMs)).not.toEqual(ratesOf('increase', samples, endsMs))
})

test('limits are looked at between runs of the kernel', () => {
  const timesMs = Array.from({ length: MOST_SAMPLES }, (_, i) => START_MS + i)
  const samples = { timesMs, values: timesMs.map((_, i) => i % 2) }
  const endsMs = new Float64Array(11_000).fill(START_MS + MOST_SAMPLES)
  let looks = 0
  runWithBudget({ checkpoint: () => void looks++ }, () => ratesOf('rate', samples, endsMs))
  expect(looks).toBeGreaterThan(1)
})
