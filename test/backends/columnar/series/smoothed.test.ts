import { describe, expect, test } from 'vitest'
import { CUSTOM_SCHEMA, Labels, printHistogram, type Histogram } from '../../../../src/data/index.ts'
import { SampleStore, type NewSample } from '../../../../src/store/samples/index.ts'
import { histogram, run } from './metrics.ts'

function storeWith(series: Readonly<Record<string, readonly NewSample[]>>): SampleStore {
  const store = new SampleStore()
  for (const [name, samples] of Object.entries(series)) {
    for (const sample of samples) store.writer.append(Labels.of({ __name__: name }), sample)
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

const float = (seconds: number, value: number): NewSample => ({ timeMs: seconds * 1000, value })

/** Returns `value@seconds` for each sample of an answer with at most one series. */
async function samplesOf(store: SampleStore, query: string, from: number, to = from): Promise<string> {
  const isInstant = from === to
  const times = { startMs: from * 1000, endMs: to * 1000, stepMs: isInstant ? 0 : 15_000 }
  const { answer } = await run(store, query, times)
  const print = (found: Histogram | undefined, value: number): string =>
    found === undefined ? String(value) : printHistogram(found, String)
  if (answer.type === 'vector') return answer.samples.map((sample) => print(sample.histogram, sample.value)).join(' ')
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

  test('the last sample is no gauge any more at later times, a point between two gauges is one', async () => {
    const warnings = async (query: string, seconds: number): Promise<readonly string[]> =>
      (await run(store, query, { startMs: seconds * 1000, endMs: seconds * 1000, stepMs: 0 })).notes
    const notCounter = [expect.stringContaining('is not a counter')]
    expect(await warnings('rate((gauges smoothed)[30s:15s])', 30)).toEqual(notCounter)
    expect(await warnings('rate((gauges smoothed)[30s:15s])', 45)).toEqual(notCounter)
    expect(await warnings('rate((gauges smoothed)[30s:15s])', 60)).toEqual([])
    expect(await warnings('rate((nh smoothed)[30s:15s])', 30)).toEqual([])
  })

  test('a window that ends with a sample takes it as it is', async () => {
    expect(await samplesOf(store, 'histogram_count(increase(nh[30s] smoothed))', 60)).toBe('4')
    expect(await samplesOf(store, 'histogram_count(increase(nh[1m] smoothed))', 60)).toBe('8')
    expect(await samplesOf(store, 'histogram_count(delta(gauges[30s] smoothed))', 30)).toBe('4')
  })
})

describe('floats and histograms around the time of an extended selector', () => {
  const store = storeWith({
    // A float between histograms; from 900 s on only floats.
    nhm: [native(0, 4), float(30, 7), native(60, 12), float(900, 1), float(930, 4)],
    later: [float(0, 1), float(30, 4), native(300, 8)],
    stale: [float(0, 1), { ...float(15, NaN), isStale: true }, float(30, 4)],
  })
  const mix = 'encountered a mix of histograms and floats for metric name'
  const notesOf = async (query: string, seconds: number): Promise<readonly string[]> => {
    const timeMs = seconds * 1000
    return (await run(store, query, { startMs: timeMs, endMs: timeMs, stepMs: 0 })).notes
  }

  test.each([
    ['nhm smoothed', 0],
    ['nhm smoothed', 15],
    ['nhm smoothed', 30],
    ['nhm smoothed', 45],
    ['nhm smoothed', 60],
    ['nhm smoothed', 300],
    ['nhm smoothed', 329],
    ['nhm smoothed offset 1m', 90],
    ['nhm smoothed @ 30', 900],
    // The histogram need not be a neighbour of the time: at 15 s both neighbours are floats.
    ['later smoothed', 15],
    ['later smoothed', 1],
    ['later smoothed', 120],
    ['later smoothed', 329],
    ['delta(later[30s] smoothed)', 30],
    ['increase(later[30s] smoothed)', 15],
    ['rate(nhm[30s] anchored)', 930 - 600],
    ['rate(nhm[10s] anchored)', 62],
  ])('%s at %d s has no sample, and a warning', async (query, seconds) => {
    expect(await samplesOf(store, query, seconds)).toBe('')
    expect(await notesOf(query, seconds)).toEqual([expect.stringContaining(mix)])
  })

  test.each([
    // The lookback excludes its start and includes its end.
    ['later smoothed', 0 - 1, ''],
    ['later smoothed', 330, '{count:8, sum:16, [-0.5,0.5]:1, (0.5,1]:7}'],
    ['nhm smoothed', 915, '2.5'],
    ['nhm smoothed', 930, '4'],
    ['delta(later[30s] anchored)', 30, '3'],
    ['increase(nhm[30s] smoothed)', 930, '3'],
    ['stale smoothed', 15, '2.5'],
  ])('%s at %d s is %s where all samples around it are of one type', async (query, seconds, wanted) => {
    expect(await samplesOf(store, query, seconds)).toBe(wanted)
    expect(await notesOf(query, seconds)).not.toContainEqual(expect.stringContaining(mix))
  })
})
