import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/index.ts'
import { EMPTY_HISTOGRAM, Labels } from '../../../src/data/index.ts'
import { SampleStore, SamplesPublisher, applySamplesDelta } from '../../../src/store/samples/index.ts'

const everything = { matchers: [], guard: undefined, startMs: -Infinity, endMs: Infinity }

test('a replica of samples gives what its store gives, after every change', () => {
  const random = seededRandom(11)
  const store = new SampleStore()
  const replica = new SampleStore()
  const publisher = new SamplesPublisher(store)
  const update = (): number => {
    let pieces = 0
    for (const news of publisher.news()) {
      applySamplesDelta(replica, structuredClone(news))
      pieces++
    }
    return pieces
  }
  for (let round = 0; round < 60; round++) {
    for (let i = random.below(60); i > 0; i--) {
      const name = random.pick(['up', 'rate', 'size'])
      store.writer.append(Labels.of({ __name__: name, pod: `p${random.below(round * 8 + 1)}` }), {
        // Times are later than, equal to, or earlier than those already stored.
        timeMs: round * 1000 - (random.below(9) === 0 ? random.below(20_000) : random.below(3) * 500),
        value: random.below(1000),
        isStale: random.below(40) === 0,
        startTimeMs: random.below(30) === 0 ? 5 : 0,
        ...(name === 'size' && { histogram: { ...EMPTY_HISTOGRAM, count: random.below(9), sum: round } }),
      })
    }
    if (round % 25 === 24) for (const each of store.series.all) each.removeIn(-Infinity, (round - 20) * 1000)
    update()
    expect(update()).toBe(0)
    if (round % 6 === 5) expect(replica.reader.select(everything)).toEqual(store.reader.select(everything))
    expect(replica.sampleCount).toBe(store.sampleCount)
  }
  expect(replica.series.count).toBeGreaterThan(150)
})

test('new samples of a series are published as a count', () => {
  const store = new SampleStore()
  const publisher = new SamplesPublisher(store)
  const series = store.writer.getOrCreateSeries(Labels.of({ __name__: 'up' }))
  series.append({ timeMs: 1, value: 1 })
  expect([...publisher.news()].flatMap((news) => news.series)).toHaveLength(1)
  series.append({ timeMs: 2, value: 2 })
  expect([...publisher.news()]).toEqual([{ series: [], counts: Uint32Array.of(0, 2), histograms: [], exemplars: [] }])
})

test('a late sample moves what no reader has received, and is sent as a number', () => {
  const store = new SampleStore()
  const publisher = new SamplesPublisher(store)
  const series = store.writer.getOrCreateSeries(Labels.of({ __name__: 'up' }))
  for (const timeMs of [10, 20]) series.append({ timeMs, value: timeMs })
  for (const news of publisher.news()) expect(news.series).toHaveLength(1)
  for (const timeMs of [50, 30, 40]) series.append({ timeMs, value: timeMs })
  expect([...publisher.news()]).toEqual([{ series: [], counts: Uint32Array.of(0, 5), histograms: [], exemplars: [] }])
  series.append({ timeMs: 45, value: 45 })
  expect([...publisher.news()].flatMap((news) => news.series)).toHaveLength(1)
})

test('data that readers use does not change when late samples arrive', () => {
  const random = seededRandom(5)
  const store = new SampleStore()
  const replicas = [new SampleStore(), new SampleStore()]
  const publishers = replicas.map(() => new SamplesPublisher(store))
  const copied = (source: SampleStore) =>
    source.reader.select(everything).map(({ labels, timesMs, values, staleness, startTimesMs }) => ({
      labels: String(labels),
      columns: [timesMs, values, staleness, startTimesMs].map((column) => column && [...column]),
    }))
  const known = replicas.map(copied)
  const times = Array.from({ length: 800 }, (_, i) => i)
  for (let round = 0; times.length > 0; round++) {
    for (let i = Math.min(times.length, random.below(12)); i > 0; i--) {
      // Each time is used once: a second sample at the same time would replace the first.
      const [timeMs = 0] = times.splice(random.below(Math.min(times.length, 8)), 1)
      store.writer.append(Labels.of({ __name__: 'up', pod: `p${timeMs % 5}` }), {
        timeMs,
        value: random.below(1000),
        isStale: random.below(300) === 0,
        startTimeMs: random.below(300) === 0 ? 5 : 0,
      })
    }
    for (const [i, replica] of replicas.entries()) {
      expect(copied(replica)).toEqual(known[i])
      if (random.below(3) > 0) continue
      for (const news of publishers[i]?.news() ?? []) applySamplesDelta(replica, structuredClone(news))
      expect(copied(replica)).toEqual(copied(store))
      known[i] = copied(replica)
    }
  }
})

test('a histogram after published numbers keeps its index', () => {
  const store = new SampleStore()
  const replica = new SampleStore()
  const publisher = new SamplesPublisher(store)
  const labels = Labels.of({ __name__: 'mixed' })
  const histogram = { ...EMPTY_HISTOGRAM, count: 3, sum: 5 }
  for (const [i, sample] of [{ value: 1 }, { value: 0, histogram }, { value: 2 }].entries()) {
    store.writer.append(labels, { timeMs: i, ...sample })
    for (const news of publisher.news()) applySamplesDelta(replica, structuredClone(news))
  }
  expect(replica.reader.select(everything)).toEqual(store.reader.select(everything))
})
