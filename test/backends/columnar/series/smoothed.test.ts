import { describe, expect, test } from 'vitest'
import { CUSTOM_SCHEMA, Labels, printHistogram, type Histogram } from '../../../../src/data/index.ts'
import { SampleStore, type NewSample } from '../../../../src/store/samples/index.ts'
import { histogram, run } from './metrics.ts'

function storeWith(series: Readonly<Record<string, readonly NewSample[]>>): SampleStore {
  const store = new SampleStore()
  for (const [name, samples] of Object.entries(series)) {
    for (const sample of samples) store.append(Labels.of({ __name__: name }), sample)
  }
  return store
}

const native = (seconds: number, count: number, hint: Histogram['hint'] = 'unknown'): NewSample => ({
  timeMs: seconds * 1000,
  value: 0,
  histogram: histogram({ count, sum: 2 * count, zeroCount: 1, zeroThreshold: 0.5, buckets: [count - 1], hint }),
})
const custom = (seconds: number, count: number): NewSample => ({
  timeMs: seconds * 1000,
  value: 0,
  histogram: histogram({ schema: CUSTOM_SCHEMA, bounds: [1], count, sum: count, buckets: [count] }),
})

/** `value@seconds` of each sample of an answer of at most one series. */
async function samplesOf(store: SampleStore, query: string, from: number, to = from): Promise<string> {
  const isInstant = from === to
  const times = { startMs: from * 1000, endMs: to * 1000, stepMs: isInstant ? 0 : 15_000 }
  const { answer } = await run(store, query, times)
  const print = (found: Histogram | undefined, value: number): string =>
    found === undefined ? String(value) : printHistogram(found, String)
  if (answer.type === 'vector')
    return answer.samples.map((sample) => print(sample.histogram, sample.value)).join(' ')
  if (answer.type !== 'matrix') throw new Error(`no series: ${answer.type}`)
  const [series] = answer.series
  if (series === undefined) return ''
  return [...series.timesMs]
    .map((timeMs, i) => `${print(series.histograms?.[i], series.values[i] ?? NaN)}@${timeMs / 1000}`)
    .join(' ')
}

describe('smoothed native histograms', () => {
  const store = storeWith({
    nh: [native(0, 4), native(30, 8), native(60, 12)],
    gauges: [native(0, 4, 'gauge'), native(30, 8, 'gauge')],
    buckets: [custom(0, 4), custom(30, 8)],
    one: [native(30, 8)],
    reset: [native(0, 8), native(30, 4)],
  })
  const four = '{count:4, sum:8, [-0.5,0.5]:1, (0.5,1]:3}'
  const eight = '{count:8, sum:16, [-0.5,0.5]:1, (0.5,1]:7}'
  const twelve = '{count:12, sum:24, [-0.5,0.5]:1, (0.5,1]:11}'

  test.each([
    ['nh smoothed', 0, four],
    ['nh smoothed', 30, eight],
    ['nh smoothed', 60, twelve],
    ['nh smoothed', 61, twelve],
    ['nh smoothed', 359, twelve],
    ['nh smoothed', 360, ''],
    ['nh smoothed', 15, '{count:6, sum:12, [-0.5,0.5]:1, (0.5,1]:5}'],
    ['nh smoothed offset 30s', 60, eight],
    ['nh smoothed offset -30s', 30, twelve],
    ['nh smoothed @ 30', 600, eight],
    ['nh smoothed @ end()', 60, twelve],
    ['last_over_time((nh smoothed)[1m:30s])', 60, twelve],
    ['first_over_time((nh smoothed)[1m:30s])', 60, eight],
    ['histogram_sum(nh smoothed)', 60, '24'],
    ['nh smoothed + 0 * (nh smoothed)', 60, twelve],
    ['gauges smoothed', 30, eight],
    ['buckets smoothed', 30, '{count:8, sum:8, (-Infinity,1]:8}'],
    ['one smoothed', 30, eight],
    ['one smoothed', 45, eight],
    ['reset smoothed', 30, four],
  ])('%s at %d s', async (query, seconds, wanted) => {
    expect(await samplesOf(store, query, seconds)).toBe(wanted)
  })

  test('each step of a range that is the time of a sample has that sample', async () => {
    const between = (count: number): string => `{count:${count}, sum:${2 * count}, [-0.5,0.5]:1, (0.5,1]:${count - 1}}`
    const counts = [4, 6, 8, 10, 12, 12]
    expect(await samplesOf(store, 'nh smoothed', 0, 75)).toBe(
      counts.map((count, i) => `${between(count)}@${i * 15}`).join(' '),
    )
  })

  test('a window that ends with a sample takes it as it is', async () => {
    expect(await samplesOf(store, 'histogram_count(increase(nh[30s] smoothed))', 60)).toBe('4')
    expect(await samplesOf(store, 'histogram_count(increase(nh[1m] smoothed))', 60)).toBe('8')
    expect(await samplesOf(store, 'histogram_count(delta(gauges[30s] smoothed))', 30)).toBe('4')
  })
})
