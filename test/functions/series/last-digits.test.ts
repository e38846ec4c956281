import { describe, expect, test } from 'vitest'
import { Labels } from '../../../src/data/index.ts'
import { SampleStore } from '../../../src/store/samples/index.ts'
import { random, run } from '../../backends/columnar/series/metrics.ts'

/**
 * Independent reference implementations of the functions that process one window at a time, from its first to its last
 * sample. Answers must be bit-identical.
 */

interface Sample {
  readonly timeMs: number
  readonly value: number
}

const END_MS = 600_000
const RANGE_MS = 120_000

/** Draws samples about 15 s apart whose sums are inexact. A counter resets now and then. */
function samplesOf(seed: number, isCounter: boolean): readonly Sample[] {
  const next = random(seed)
  let total = 0
  return Array.from({ length: 40 }, (_, i) => {
    total = next() < 0.1 ? next() : total + next() * 7.3
    return {
      timeMs: i * 15_000 + Math.floor(next() * 900),
      value: isCounter ? total : (next() - 0.4) * 10 ** Math.floor(next() * 6),
    }
  })
}

function windowAt(samples: readonly Sample[], endMs: number): readonly Sample[] {
  return samples.filter(({ timeMs }) => timeMs > endMs - RANGE_MS && timeMs <= endMs)
}

function extrapolated(window: readonly Sample[], endMs: number, isCounter: boolean, isRate: boolean): number {
  const [first] = window
  const last = window.at(-1)
  if (first === undefined || last === undefined) throw new Error('an empty window')
  let result = last.value - first.value
  window.forEach(({ value }, i) => {
    const before = window[i - 1]?.value ?? 0
    if (isCounter && i > 0 && value < before) result += before
  })
  let toStart = (first.timeMs - (endMs - RANGE_MS)) / 1000
  let toEnd = (endMs - last.timeMs) / 1000
  const sampled = (last.timeMs - first.timeMs) / 1000
  const average = sampled / (window.length - 1)
  if (toStart >= average * 1.1) toStart = average / 2
  if (isCounter && result > 0 && first.value >= 0) toStart = Math.min(toStart, sampled * (first.value / result))
  if (toEnd >= average * 1.1) toEnd = average / 2
  let factor = (sampled + toStart + toEnd) / sampled
  if (isRate) factor /= RANGE_MS / 1000
  return result * factor
}

/** Returns the sum and its compensation term (Kahan summation). */
function compensated(values: readonly number[]): readonly [number, number] {
  let sum = 0
  let rest = 0
  for (const value of values) {
    const total = sum + value
    rest += Math.abs(sum) >= Math.abs(value) ? sum - total + value : value - total + sum
    sum = total
  }
  return [sum, rest]
}

type Model = (window: readonly Sample[], endMs: number) => number

const models: Readonly<Record<string, readonly [isCounter: boolean, Model]>> = {
  rate: [true, (window, endMs) => extrapolated(window, endMs, true, true)],
  increase: [true, (window, endMs) => extrapolated(window, endMs, true, false)],
  delta: [false, (window, endMs) => extrapolated(window, endMs, false, false)],
  sum_over_time: [
    false,
    (window) => {
      const [sum, rest] = compensated(window.map(({ value }) => value))
      return sum + rest
    },
  ],
  avg_over_time: [
    false,
    (window) => {
      const [sum, rest] = compensated(window.map(({ value }) => value))
      return sum / window.length + rest / window.length
    },
  ],
}

describe.each(Object.entries(models))('%s', (name, [isCounter, model]) => {
  test.each([1, 2, 3, 4, 5])('series %i', async (seed) => {
    const samples = samplesOf(seed, isCounter)
    const store = new SampleStore()
    for (const sample of samples) store.writer.append(Labels.of({ __name__: 'm_total' }), sample)
    const { answer } = await run(store, `${name}(m_total[2m])`, { startMs: 60_000, endMs: END_MS, stepMs: 7_000 })
    if (answer.type !== 'matrix' || answer.series[0] === undefined) throw new Error('no series')
    const { timesMs, values } = answer.series[0]
    expect(Array.from(values)).toEqual(Array.from(timesMs, (endMs) => model(windowAt(samples, endMs), endMs)))
  })
})

describe('one value', () => {
  const store = new SampleStore()
  const points = [
    [0, 10.1],
    [30_000, 3.3],
    [60_000, 9.7],
  ] as const
  for (const [timeMs, value] of points) store.writer.append(Labels.of({ __name__: 'c_total' }), { timeMs, value })
  const zeros = Labels.of({ __name__: 'zeros' })
  for (const [i, value] of [0, -0, -0, 0].entries()) store.writer.append(zeros, { timeMs: i * 15_000, value })
  for (const [le, value] of [
    ['0.3', 0.1],
    ['0.9', 0.7],
    ['+Inf', 3],
  ] as const) {
    store.writer.append(Labels.of({ __name__: 'b_bucket', le }), { timeMs: 30_000, value })
  }

  const valueOf = async (query: string, timeMs = 45_000): Promise<number | undefined> => {
    const { answer } = await run(store, query, { startMs: timeMs, endMs: timeMs, stepMs: 0 })
    return answer.type === 'vector' ? answer.samples[0]?.value : answer.type === 'scalar' ? answer.value : undefined
  }

  test.each<[string, number]>([
    ['deg(vector(0.1))', (0.1 * 180) / Math.PI],
    ['rad(vector(2.7))', (2.7 * Math.PI) / 180],
    // A third of the way from 3.3 to 9.7.
    ['c_total smoothed', 3.3 + ((9.7 - 3.3) * 10_000) / 30_000],
    ['histogram_fraction(0, 0.5, b_bucket)', (0.1 + ((0.7 - 0.1) * (0.5 - 0.3)) / (0.9 - 0.3)) / 3],
    ['1.2 ^ 2.3', 1.5209567545525318],
    ['vector(1.5) ^ 2.3', 2.5410306047779243],
    ['exp(vector(1.5))', 4.481689070338065],
    ['sin(vector(1.2))', 0.9320390859672264],
    ['log10(vector(2.4))', 0.380211241711606],
    // If values are equal, the first one counts.
    ['min_over_time(zeros[16s])', -0],
    ['max_over_time(zeros[16s])', -0],
    ['max_over_time(zeros[1m])', 0],
  ])('%s', async (query, wanted) => {
    expect(await valueOf(query, 40_000)).toBe(wanted)
  })
})
