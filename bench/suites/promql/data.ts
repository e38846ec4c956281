import { Labels } from '../../../src/data/index.ts'
import { SampleStore } from '../../../src/store/samples/index.ts'
import { Random } from '../../random.ts'

/**
 * 2,200 series of 480 samples, 15 s apart with jitter: counters in pairs, histogram buckets, a few limits, gauges with
 * two decimals. All times are odd milliseconds, so that no window with even ends begins at a sample, which Prometheus
 * releases count differently.
 */
export interface MetricData {
  readonly store: SampleStore
  readonly startMs: number
  readonly endMs: number
  /** The same samples as plain arrays, for loops written by hand. */
  readonly requests: readonly PlainSeries[]
  readonly errors: readonly PlainSeries[]
  readonly buckets: readonly PlainSeries[]
  readonly limits: readonly PlainSeries[]
  readonly gauges: readonly PlainSeries[]
}

export interface PlainSeries {
  readonly labels: Labels
  readonly timesMs: Float64Array
  readonly values: Float64Array
}

const SAMPLES = 480
const SCRAPE_MS = 15_000
export const BOUNDS = ['0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '+Inf'] as const

export function makeMetricData(seed: number): MetricData {
  const source = new Random(seed)
  const random = (): number => source.unit()
  const store = new SampleStore()
  const startMs = 1_767_225_600_000
  /** Returns the scrape times of a target: each target has an offset of its own, with a little jitter. */
  const scrapeTimes = (): Float64Array => {
    const firstMs = startMs + 2 * Math.floor((random() * SCRAPE_MS) / 2) + 1
    return Float64Array.from({ length: SAMPLES }, (_, i) => firstMs + i * SCRAPE_MS + 2 * Math.floor(random() * 10))
  }
  const make = (
    labels: Record<string, string>,
    next: (previous: number) => number,
    times: Float64Array = scrapeTimes(),
  ): PlainSeries => {
    const series: PlainSeries = {
      labels: Labels.of(labels),
      timesMs: times,
      values: new Float64Array(SAMPLES),
    }
    const columns = store.writer.getOrCreateSeries(series.labels)
    let value = 0
    for (let i = 0; i < SAMPLES; i++) {
      value = next(value)
      series.values[i] = value
      columns.append({ timeMs: times[i], value })
    }
    return series
  }
  // A counter resets once in a few hundred samples.
  const counter = (scale: number) => (previous: number) =>
    random() < 0.002 ? 0 : previous + Math.floor(random() * scale)
  const requests: PlainSeries[] = []
  const errors: PlainSeries[] = []
  const buckets: PlainSeries[] = []
  const limits: PlainSeries[] = []
  for (let i = 0; i < 475; i++) {
    const labels = { instance: `host-${i % 25}`, path: `/api/v1/resource-${i}` }
    requests.push(make({ __name__: 'requests_total', ...labels, job: 'api' }, counter(100)))
    errors.push(make({ __name__: 'errors_total', ...labels, job: 'api-errors' }, counter(5)))
  }
  for (let i = 0; i < 50; i++) {
    limits.push(make({ __name__: 'limit', instance: `host-${i}` }, () => Math.floor(random() * 1000)))
  }
  for (let i = 0; i < 100; i++) {
    const labels = { __name__: 'latency_bucket', instance: `host-${i % 25}`, path: `/p${Math.floor(i / 25)}` }
    const times = scrapeTimes()
    const counts = new Float64Array(SAMPLES)
    const rows = BOUNDS.map((le) => {
      // Each bucket counts what all lower buckets count too.
      for (let sample = 0, sum = 0; sample < SAMPLES; sample++) counts[sample] += sum += Math.floor(random() * 6)
      let sample = 0
      return make({ ...labels, le }, () => counts[sample++], times)
    })
    buckets.push(...rows)
  }
  const gauges = Array.from({ length: 200 }, (_, i) => {
    const labels = { instance: `host-${i % 25}`, sensor: `zone-${Math.floor(i / 25)}`, job: 'node' }
    const startsAt = 20 + Math.floor(random() * 40)
    const walk = (previous: number): number =>
      Math.round((previous === 0 ? startsAt : previous) * 100 + (random() - 0.5) * 50) / 100
    return make({ __name__: 'temperature_celsius', ...labels }, walk)
  })
  return { store, startMs, endMs: startMs + SAMPLES * SCRAPE_MS, requests, errors, buckets, limits, gauges }
}
