import { present, seededRandom, type Random } from '../../base/index.ts'
import { EMPTY_HISTOGRAM, Labels, denseBuckets, type Histogram } from '../../data/index.ts'
import { SampleStore, type NewSample } from '../../store/index.ts'

export type FuzzSample = NewSample & { readonly labels: Labels }

/** Metric names and label values that the generated queries use. */
export const counterNames = ['hits_total', 'misses_total'] as const
export const gaugeNames = ['level', 'job:level:avg'] as const
export const histogramNames = ['native', 'mixed', 'custom'] as const
export const bucketNames = ['latency_bucket'] as const
export const infoNames = ['target_info'] as const
export const labelNames = ['zone', 'instance', 'job', 'le', 'ver.sion'] as const
export const labelValues = ['z0', 'z1', 'i0', 'i1', 'i2', 'api', '1', '2', ''] as const

/** Time span of the samples, ms, and their mean distance. */
export const DATA_MS = 450_000
const POINT_MS = 15_000

/** Bucket bounds of histograms with custom buckets. */
const customBounds = [[], [1], [1, 2], [-1, 2], [1, 2, 5]] as const

function histogramOf(random: Random, count: number, isCustom: boolean): Histogram {
  const bounds = isCustom ? random.pick(customBounds) : []
  const counts = [count, Math.floor(count / 2), random.below(3)].slice(0, isCustom ? bounds.length + 1 : 3)
  const negative = random.below(4) === 0 ? [random.below(3)] : []
  const total = counts.reduce((sum, n) => sum + n, 0) + negative.reduce((sum, n) => sum + n, 0)
  const shape = isCustom
    ? { schema: -53, bounds, negative: denseBuckets(0, []) }
    : { schema: random.below(3), bounds: [], negative: denseBuckets(1, negative) }
  return {
    ...EMPTY_HISTOGRAM,
    ...shape,
    count: isCustom ? counts.reduce((sum, n) => sum + n, 0) : total,
    sum: random.below(20) === 0 ? NaN : count * 1.5 - 3,
    positive: denseBuckets(0, counts),
    hint: random.below(12) === 0 ? 'gauge' : 'unknown',
  }
}

/**
 * Draws the start time of a counter: mostly unknown, else before the sample, at the sample's time, at the time of the
 * previous sample, or after the sample.
 */
function startTime(random: Random, timeMs: number): number {
  const fate = random.below(12)
  if (fate > 3) return 0
  return fate === 0 ? timeMs : fate === 1 ? timeMs - POINT_MS : timeMs + (fate === 2 ? 1 : -random.below(30_000))
}

function gauge(random: Random): number {
  const fate = random.below(40)
  if (fate === 0) return NaN
  if (fate === 1) return random.below(2) === 0 ? Infinity : -Infinity
  if (fate === 2) return -0
  return fate < 20 ? random.below(100) - 50 : Math.round((random.next() - 0.5) * 1e4) / 64
}

/**
 * Makes counters, gauges, buckets, histograms and info series with gaps, resets, stale markers, NaN, infinities and
 * irregular intervals.
 */
export function fuzzSamples(seed: number): readonly FuzzSample[] {
  const random = seededRandom(seed)
  const samples: FuzzSample[] = []
  const points = DATA_MS / POINT_MS
  const identity = (s: number): Record<string, string> => ({
    instance: `i${s % 3}`,
    zone: `z${s % 2}`,
    ...(s === 4 ? {} : { job: 'api' }),
    ...(s % 3 === 2 ? { 'ver.sion': String(s % 2) } : {}),
  })
  const write = (
    name: string,
    more: Readonly<Record<string, string>>,
    next: (i: number) => Omit<NewSample, 'timeMs'>,
  ) => {
    const labels = Labels.of({ __name__: name, ...more })
    const jitter = random.below(2) * 400
    const gaps = random.below(3) * 0.08
    for (let i = 0; i < points; i++) {
      const timeMs = i * POINT_MS + Math.floor(random.next() * jitter)
      const value = next(i)
      if (random.next() < gaps) continue
      if (random.next() < 0.02) samples.push({ labels, timeMs, value: NaN, isStale: true })
      else samples.push({ labels, timeMs, ...value })
    }
  }
  for (let s = 0; s < 5; s++) {
    let total = 0
    const hasStart = s % 2 === 0
    write(present(counterNames[s % 2]), identity(s), (i) => {
      total = random.next() < 0.04 ? 0 : total + random.below(10)
      return { value: total, startTimeMs: hasStart ? startTime(random, i * POINT_MS) : 0 }
    })
    write(gaugeNames[s === 3 ? 1 : 0], identity(s), () => ({ value: gauge(random) }))
    let count = 0
    const name = present(histogramNames[s % 3])
    write(name, identity(s), (i) => {
      count = random.below(20) === 0 ? 1 : count + random.below(4)
      if (name === 'mixed' && random.below(3) === 0) return { value: count }
      return {
        value: 0,
        histogram: histogramOf(random, count, name === 'custom' || (name === 'mixed' && count % 2 === 0)),
        startTimeMs: hasStart ? startTime(random, i * POINT_MS) : 0,
      }
    })
  }
  for (const le of ['1', '2', '5', '+Inf']) {
    for (let s = 0; s < 2; s++) {
      let count = 0
      write('latency_bucket', { ...identity(s), le }, () => {
        count += random.below(le === '+Inf' ? 9 : 3)
        return { value: count }
      })
    }
  }
  for (let s = 0; s < 3; s++) write('target_info', { ...identity(s), job: 'api', build: `b${s}` }, () => ({ value: 1 }))
  return samples
}

export function memoryStore(samples: readonly FuzzSample[]): SampleStore {
  const store = new SampleStore()
  for (const sample of samples) store.writer.append(sample.labels, sample)
  return store
}
