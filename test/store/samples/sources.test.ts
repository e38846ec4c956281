import { describe, expect, test } from 'vitest'
import { SluiceError, seededRandom } from '../../../src/base/index.ts'
import { EMPTY_HISTOGRAM, Labels } from '../../../src/data/index.ts'
import {
  SampleStore,
  SamplesPublisher,
  appendDelta,
  applySamplesDelta,
  type NewSample,
  type SamplesSource,
  type StoredSamples,
} from '../../../src/store/samples/index.ts'
import { SampleFile } from '../../../src/store/sample-files/index.ts'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { EVERYTHING, linesOf, samplesFile, sourceOf } from '../sample-files/file-of.ts'

/** Formats the samples in a time range of a store without loss. */
function shown(store: SampleStore, range: { startMs: number; endMs: number } = EVERYTHING): readonly unknown[] {
  return store.reader.select({ ...EVERYTHING, ...range }).map((series) => [String(series.labels), linesOf(series)])
}

/** Returns the time span of each series as the store reports it. `readSpans` derives it from the samples. */
function spansOf(store: SampleStore): readonly unknown[] {
  return store.reader
    .spans({ matchers: [], guard: undefined })
    .map((each) => ({ ...each, labels: String(each.labels) }))
}

function readSpans(store: SampleStore): readonly unknown[] {
  return store.reader
    .select(EVERYTHING)
    .map(({ labels, timesMs }) => ({ labels: String(labels), firstMs: timesMs[0], lastMs: timesMs.at(-1) }))
}

/** A store whose columns are written to files, with the sources that other threads would open. */
class Filed {
  readonly store = new SampleStore()
  readonly files = new Map<string, Buffer>()
  readonly #cache = new BlockCache(1 << 16)
  #order = 0

  /** Freezes the columns and, unless `keepsFrozen` is set, writes them to a file. */
  seal(keepsFrozen = false): void {
    this.thaw()
    const frozen = this.store.sources.freeze(++this.#order)
    if (!keepsFrozen) this.#write(frozen)
  }

  thaw(): void {
    for (const source of this.store.sources.all) if (source.stored === undefined) this.#write(source)
  }

  #write(frozen: SamplesSource): void {
    const { order } = frozen
    const places = frozen.slots(() => expect.unreachable('its series are there'))
    const series = [...places].flatMap((place, number) => {
      const samples = frozen.part(number)?.slice(-Infinity, Infinity)
      const labels = this.store.series.all[place]?.labels
      return samples === undefined || labels === undefined ? [] : [{ labels, samples }]
    })
    const name = `samples-${order}.samples`
    const { file, summary } = samplesFile({ series })
    this.files.set(name, file)
    this.store.sources.replace([frozen], this.open({ ...summary, name, path: name, order }))
  }

  readonly open = (stored: StoredSamples): SamplesSource => {
    const file = new SampleFile(sourceOf(this.files.get(stored.name) ?? Buffer.alloc(0)), this.#cache)
    const { name, order } = stored
    const slots = (slotOf: (labels: Labels) => number): Int32Array => Int32Array.from(file.labels, slotOf)
    return { name, order, stored, slots, bytes: file.bytes, part: (series) => file.part(series) }
  }
}

function draw(random: ReturnType<typeof seededRandom>, round: number, name: string): NewSample {
  return {
    // Times are later than, equal to, or earlier than those already stored.
    timeMs: round * 1000 - (random.below(6) === 0 ? random.below(30_000) : random.below(3) * 500),
    value: random.below(1000),
    isStale: random.below(40) === 0,
    startTimeMs: random.below(30) === 0 ? 5 : 0,
    ...(name === 'size' && {
      histogram: {
        ...EMPTY_HISTOGRAM,
        count: random.below(9),
        sum: round,
        positive: { indexes: [1], counts: [round] },
      },
    }),
  }
}

describe.each([1, 2, 3])('samples in files and columns, drawn from %d', (seed) => {
  test('are those of a store that has all of them in columns, for readers in other threads, too', () => {
    const random = seededRandom(seed)
    const plain = new SampleStore()
    const filed = new Filed()
    const replicas = [new SampleStore(), new SampleStore()]
    const publishers = replicas.map(() => new SamplesPublisher(filed.store))
    for (let round = 0; round < 80; round++) {
      for (let i = random.below(50); i > 0; i--) {
        const name = random.pick(['up', 'sum', 'size'])
        const labels = Labels.of({ __name__: name, pod: `p${random.below((round >> 2) + 1)}` })
        const sample = draw(random, round, name)
        if (name === 'sum') {
          const isTaken = appendDelta(plain.writer.getOrCreateSeries(labels), sample)
          expect(appendDelta(filed.store.writer.getOrCreateSeries(labels), sample)).toBe(isTaken)
        } else {
          plain.writer.append(labels, sample)
          filed.store.writer.append(labels, sample)
        }
      }
      if (random.below(6) === 0) filed.seal(random.below(2) === 0)
      if (random.below(6) === 0) filed.thaw()
      for (const [i, publisher] of publishers.entries()) {
        // The second replica is updated rarely.
        if (i === 1 && random.below(20) > 0) continue
        for (const news of publisher.news()) applySamplesDelta(replicas[i] ?? plain, structuredClone(news), filed.open)
        if (random.below(4) === 0) expect(shown(replicas[i] ?? plain)).toEqual(shown(plain))
      }
      if (round % 8 !== 7) continue
      expect(shown(filed.store)).toEqual(shown(plain))
      expect(spansOf(filed.store)).toEqual(readSpans(plain))
      const endMs = random.below(90_000)
      const range = { startMs: endMs - random.below(20_000), endMs }
      expect(shown(filed.store, range)).toEqual(shown(plain, range))
      const request = { ...range, filters: [], guard: undefined }
      expect(filed.store.reader.series(request).map(String)).toEqual(plain.reader.series(request).map(String))
    }
    expect(filed.files.size).toBeGreaterThan(5)
  })
})

test('when series have samples is said without reading any', () => {
  const store = new SampleStore()
  const unread = (): never => expect.unreachable('read')
  const part = {
    count: 3,
    firstMs: 5,
    lastMs: 9,
    countIn: unread,
    slice: unread,
    hasSampleIn: unread,
    lastBefore: unread,
  }
  const labels = Labels.of({ __name__: 'up' })
  store.sources.replace([], {
    name: 'a',
    order: 1,
    slots: (placeOf) => Int32Array.of(placeOf(labels)),
    part: () => part,
    bytes: 0,
  })
  store.writer.append(Labels.of({ __name__: 'down' }), { timeMs: 7, value: 1 })
  store.writer.append(labels, { timeMs: 12, value: 1 })
  expect(spansOf(store)).toEqual([
    { labels: '{__name__="down"}', firstMs: 7, lastMs: 7 },
    { labels: '{__name__="up"}', firstMs: 5, lastMs: 12 },
  ])
})

test('a series without samples leaves the index, and readers are informed', () => {
  const filed = new Filed()
  const early = new SampleStore()
  const publisher = new SamplesPublisher(filed.store)
  const tell = (store: SampleStore, from: SamplesPublisher): void => {
    for (const news of from.news()) applySamplesDelta(store, structuredClone(news), filed.open)
  }
  for (const pod of ['a', 'b', 'c'])
    filed.store.writer.append(Labels.of({ __name__: 'up', pod }), { timeMs: 1, value: 1 })
  tell(early, publisher)
  filed.seal()
  filed.store.writer.append(Labels.of({ __name__: 'up', pod: 'b' }), { timeMs: 2, value: 2 })
  const [source] = filed.store.sources.all
  if (source !== undefined) filed.store.sources.replace([source], undefined)
  filed.store.forgetEmptySeries()
  filed.store.writer.append(Labels.of({ __name__: 'up', pod: 'd' }), { timeMs: 3, value: 3 })
  filed.store.writer.append(Labels.of({ __name__: 'up', pod: 'a' }), { timeMs: 4, value: 4 })
  expect(filed.store.series.count).toBe(3)
  const late = new SampleStore()
  tell(early, publisher)
  tell(late, new SamplesPublisher(filed.store))
  for (const store of [filed.store, early, late])
    expect(shown(store)).toEqual([
      ['{__name__="up", pod="a"}', ['4 4  0 ']],
      ['{__name__="up", pod="b"}', ['2 2  0 ']],
      ['{__name__="up", pod="d"}', ['3 3  0 ']],
    ])
})

test('a file that cannot be read refuses its times, and no others', () => {
  const filed = new Filed()
  const replica = new SampleStore()
  filed.store.writer.append(Labels.of({ __name__: 'up' }), { timeMs: 1000, value: 1 })
  filed.seal()
  for (const [name, file] of filed.files) filed.files.set(name, file.subarray(0, -1))
  filed.store.writer.append(Labels.of({ __name__: 'up' }), { timeMs: 5000, value: 2 })
  for (const news of new SamplesPublisher(filed.store).news()) applySamplesDelta(replica, news, filed.open)
  expect(shown(replica, { startMs: 1000, endMs: 9000 })).toEqual([['{__name__="up"}', ['5000 2  0 ']]])
  expect(() => shown(replica, { startMs: 0, endMs: 1000 })).toThrow(SluiceError)
  expect(() => replica.reader.series({ filters: [], guard: undefined, startMs: 0, endMs: 9000 })).toThrow('damaged')
})
