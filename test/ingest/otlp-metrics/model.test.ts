import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { runToEnd, Budget } from '../../../src/base/index.ts'
import { queryPromql } from '../../../src/engine/metrics/index.ts'
import { storeMetrics } from '../../../src/ingest/metrics/index.ts'
import { readMetricsProtobuf } from '../../../src/ingest/otlp-metrics/index.ts'
import { SampleStore } from '../../../src/store/samples/index.ts'
import { attributes, encodeMetrics, exportOf } from './encode.ts'

const START_MS = 1_700_000_000_000
const BOUNDS = [0.1, 1, 10]

/** An export of one series with these observations. */
const step = fc.record({
  series: fc.constantFrom('a', 'b', 'c'),
  /** Time since the previous step; zero or negative if the export is not later. */
  afterMs: fc.integer({ min: -2, max: 30_000 }),
  observed: fc.array(fc.constantFrom(0.05, 0.1, 0.5, 1, 7, 100), { maxLength: 6 }),
})

/** State of one series in the reference model. */
interface Model {
  lastMs: number
  readonly observed: number[]
}

function bucketCounts(observed: readonly number[]): number[] {
  const counts = Array<number>(BOUNDS.length + 1).fill(0)
  for (const value of observed) {
    const at = BOUNDS.findIndex((bound) => value <= bound)
    const place = at === -1 ? BOUNDS.length : at
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}

/** Returns an OTLP exponential histogram of scale 0, in which bucket `i` ends at `2^(i+1)`. */
function exponential(observed: readonly number[]): object {
  const indexes = observed.map((value) => Math.ceil(Math.log2(value)) - 1)
  const offset = Math.min(0, ...indexes)
  const counts = Array<number>(20).fill(0)
  for (const index of indexes) counts[index - offset] = (counts[index - offset] ?? 0) + 1
  return { scale: 0, positive: { offset, bucketCounts: counts } }
}

test.prop([fc.array(step, { minLength: 1, maxLength: 30 })])(
  'deltas of sums and histograms read as the sums of all that came in order',
  async (steps) => {
    const store = new SampleStore()
    const models = new Map<string, Model>()
    let nowMs = START_MS
    for (const { series, afterMs, observed } of steps) {
      nowMs += afterMs
      const point = {
        attributes: attributes({ series }),
        timeUnixNano: `${nowMs}000000`,
        count: observed.length,
        sum: observed.reduce((sum, value) => sum + value, 0),
      }
      const delta = (rest: object): object => ({ aggregationTemporality: 1, dataPoints: [{ ...point, ...rest }] })
      const bytes = encodeMetrics(
        exportOf([
          { name: 's', sum: { ...delta({ asInt: observed.length }), isMonotonic: true } },
          { name: 'h', histogram: delta({ bucketCounts: bucketCounts(observed), explicitBounds: BOUNDS }) },
          { name: 'e', exponentialHistogram: delta(exponential(observed)) },
        ]),
      )
      const model = models.get(series) ?? { lastMs: -Infinity, observed: [] }
      models.set(series, model)
      const isLate = nowMs <= model.lastMs
      const { latePoints } = storeMetrics(store, runToEnd(readMetricsProtobuf(bytes, 0)).samples)
      expect(latePoints).toBe(isLate ? 3 : 0)
      if (isLate) continue
      model.lastMs = nowMs
      model.observed.push(...observed)
    }
    const lastMs = Math.max(...Array.from(models.values(), (model) => model.lastMs))
    const ask = async (query: string): Promise<Map<string, number>> => {
      const budget = new Budget({ memoryBytes: 2 ** 26, timeoutMs: 10_000, scanRows: 1e9 }, () => 0)
      const { answer } = await queryPromql(query, lastMs, { source: store.reader, budget, lookbackMs: 10 * 60_000 })
      if (answer.type !== 'vector') throw new Error(answer.type)
      return new Map(
        answer.samples.map(({ labels, value }) => [`${labels.get('series')} ${labels.get('le')}`.trim(), value]),
      )
    }
    const expected = (value: (model: Model) => number): Map<string, number> =>
      new Map(Array.from(models, ([series, model]) => [series, value(model)]))
    const count = expected(({ observed }) => observed.length)
    expect(await ask('s_total')).toEqual(count)
    expect(await ask('h_count')).toEqual(count)
    expect(await ask('histogram_count(e)')).toEqual(count)
    for (const bound of BOUNDS)
      expect(await ask(`sum by (series) (h_bucket{le="${bound}"})`)).toEqual(
        expected(({ observed }) => observed.filter((value) => value <= bound).length),
      )
    const sums = await ask('h_sum')
    for (const [series, { observed }] of models)
      expect(sums.get(series)).toBeCloseTo(
        observed.reduce((sum, value) => sum + value, 0),
        6,
      )
    // 1 is a bucket bound of the native histogram, so the fraction up to 1 is exact.
    const shares = await ask('histogram_fraction(-Inf, 1, e) * histogram_count(e)')
    for (const [series, { observed }] of models)
      if (observed.length > 0) expect(shares.get(series)).toBeCloseTo(observed.filter((value) => value <= 1).length, 6)
  },
)
