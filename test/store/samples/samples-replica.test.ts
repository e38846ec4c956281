import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/index.ts'
import { EMPTY_HISTOGRAM, Labels } from '../../../src/data/index.ts'
import { SampleStore, SamplesPublisher, applySamplesNews } from '../../../src/store/samples/index.ts'

const everything = { matchers: [], guard: undefined, startMs: -Infinity, endMs: Infinity }

test('a replica of samples gives what its store gives, after every change', () => {
  const random = seededRandom(11)
  const store = new SampleStore()
  const replica = new SampleStore()
  const publisher = new SamplesPublisher(store)
  const update = (): number => {
    let pieces = 0
    for (const news of publisher.news()) {
      applySamplesNews(replica, structuredClone(news))
      pieces++
    }
    return pieces
  }
  for (let round = 0; round < 60; round++) {
    for (let i = random.below(60); i > 0; i--) {
      const name = random.pick(['up', 'rate', 'size'])
      store.append(Labels.of({ __name__: name, pod: `p${random.below(round * 8 + 1)}` }), {
        // Later, at the same time, and before what is there.
        timeMs: round * 1000 - (random.below(9) === 0 ? random.below(20_000) : random.below(3) * 500),
        value: random.below(1000),
        isStale: random.below(40) === 0,
        startTimeMs: random.below(30) === 0 ? 5 : 0,
        ...(name === 'size' && { histogram: { ...EMPTY_HISTOGRAM, count: random.below(9), sum: round } }),
      })
    }
    if (round % 25 === 24) store.dropUntil((round - 20) * 1000)
    update()
    expect(update()).toBe(0)
    if (round % 6 === 5) expect(replica.select(everything)).toEqual(store.select(everything))
    expect(replica.sampleCount).toBe(store.sampleCount)
  }
  expect(replica.seriesCount).toBeGreaterThan(150)
})

test('what a series gains is told as a number', () => {
  const store = new SampleStore()
  const publisher = new SamplesPublisher(store)
  const series = store.seriesFor(Labels.of({ __name__: 'up' }))
  series.append({ timeMs: 1, value: 1 })
  expect([...publisher.news()].flatMap((news) => news.series)).toHaveLength(1)
  series.append({ timeMs: 2, value: 2 })
  expect([...publisher.news()]).toEqual([{ series: [], counts: Uint32Array.of(0, 2), histograms: [], exemplars: [] }])
})
