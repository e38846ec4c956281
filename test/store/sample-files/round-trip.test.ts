import { describe, expect, test } from 'vitest'
import { present, seededRandom } from '../../../src/base/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { SampleStore } from '../../../src/store/samples/index.ts'
import { SampleFile } from '../../../src/store/sample-files/index.ts'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { linesOf, manyKinds, samplesFile, seriesOf, sourceOf } from './file-of.ts'

describe.each([1, 5, 2100])('the file of series with %d samples', (count) => {
  const store = manyKinds(count)
  const series = seriesOf(store)
  const { file, summary } = samplesFile({ series })

  test.each([0, 64 * 1024, 64 * 1024 * 1024])('gives all that is in memory, with a cache of %d bytes', (bytes) => {
    const read = new SampleFile(sourceOf(file), new BlockCache(bytes))
    expect(read.labels.map(String)).toEqual(series.map(({ labels }) => String(labels)))
    expect(summary).toMatchObject({ samples: count * 22, series: 22, bytes: file.length })
    expect(read.sampleCount).toBe(summary.samples)
    for (const [place, { samples }] of series.entries()) {
      const part = present(read.part(place))
      expect(linesOf(present(part.slice(-Infinity, Infinity)))).toEqual(linesOf(present(samples)))
      expect([part.count, part.firstMs, part.lastMs]).toEqual([count, samples?.timesMs[0], samples?.timesMs.at(-1)])
    }
  })

  test('gives the samples of any range', () => {
    const read = new SampleFile(sourceOf(file), new BlockCache(1 << 20))
    const random = seededRandom(5)
    for (const [place, columns] of seriesOf(store).entries()) {
      const part = present(read.part(place))
      const { timesMs } = present(columns.samples)
      for (let i = 0; i < 20; i++) {
        const pick = (): number => (timesMs[random.below(count)] ?? 0) + random.below(3) - 1
        const [startMs, endMs] = [pick(), pick()]
        const expected = store.writer.getOrCreateSeries(columns.labels).slice(startMs, endMs)
        const found = part.slice(startMs, endMs)
        expect(found && linesOf(found)).toEqual(expected && linesOf(expected))
        expect(part.hasSampleIn(startMs, endMs)).toBe(expected !== undefined)
        expect(part.countIn(startMs, endMs)).toBeGreaterThanOrEqual(expected?.timesMs.length ?? 0)
        const times = part.slice(startMs, endMs, true)
        expect(times?.timesMs).toEqual(expected?.timesMs)
        expect(part.lastBefore(endMs)?.timeMs).toBe(timesMs.findLast((timeMs) => timeMs < endMs))
      }
    }
  })
})

test('only what is asked for is read', () => {
  const cache = new BlockCache(1 << 30)
  const read = new SampleFile(sourceOf(samplesFile({ series: seriesOf(manyKinds(3000)) }).file), cache)
  const { blocks } = cache.counts
  expect(read.part(3)?.slice(-Infinity, Infinity, true)?.timesMs).toHaveLength(3000)
  // Times and markers of the one or two groups that contain the series.
  expect(cache.counts.blocks - blocks).toBeLessThanOrEqual(4)
  expect(read.part(3)?.countIn(-Infinity, 0)).toBe(0)
  read.drop()
  expect(cache.heldBytes).toBe(0)
})

test('a file has descriptions, and exemplars of series without samples, too', () => {
  const labels = Labels.of({ __name__: 'seen' })
  const exemplar = { labels: Labels.of({ trace_id: 'a' }), value: -0, timeMs: 5 }
  const descriptions = [{ name: 'seen', type: 'counter', help: 'ä', unit: 's' }]
  const { file } = samplesFile({
    descriptions,
    exemplars: [{ labels, exemplars: [exemplar, { ...exemplar, value: NaN }] }],
  })
  const read = new SampleFile(sourceOf(file), new BlockCache(1 << 20))
  expect(read.descriptions()).toEqual(descriptions)
  expect(read.exemplarCount).toBe(2)
  expect(read.exemplars().flatMap(({ exemplars }) => exemplars)).toEqual([exemplar, { ...exemplar, value: NaN }])
  expect(read.exemplars()[0]?.labels).toEqual(labels)
  expect(read.part(0)).toBeUndefined()
})

test('a regular counter takes at most two bytes a sample', () => {
  const random = seededRandom(1)
  const store = new SampleStore()
  for (let pod = 0; pod < 50; pod++) {
    const series = store.writer.getOrCreateSeries(Labels.of({ __name__: 'requests_total', pod: `p${pod}` }))
    for (let i = 0, value = 0; i < 480; i++)
      series.append({ timeMs: 1_700_000_000_000 + i * 15_000 + pod * 37, value: (value += random.below(200)) })
  }
  const { summary } = samplesFile({ series: seriesOf(store) })
  expect(summary.bytes / summary.samples).toBeLessThan(2)
})
