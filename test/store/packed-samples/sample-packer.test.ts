import { describe, expect, test, vi } from 'vitest'
import { runToEnd, seededRandom, type Random } from '../../../src/base/index.ts'
import { EMPTY_HISTOGRAM, Labels } from '../../../src/data/index.ts'
import type { LabelMatcher } from '../../../src/plan/series/index.ts'
import {
  SampleStore,
  SamplesPublisher,
  appendDelta,
  applySamplesDelta,
  isInRange,
  labelsTest,
  type NewSample,
  type SampleChoice,
  type StoredSamples,
} from '../../../src/store/samples/index.ts'
import { PackedSource, SamplePacker, isInMemory } from '../../../src/store/packed-samples/index.ts'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { EVERYTHING, linesOf } from '../sample-files/file-of.ts'

const NAMES = ['up', 'sum', 'size'] as const
const TAIL = { samples: 100, each: 0 }

/** Formats the samples in a time range of a store without loss. */
function shown(store: SampleStore, range: { startMs: number; endMs: number } = EVERYTHING): readonly unknown[] {
  return store.reader.select({ ...EVERYTHING, ...range }).map((series) => [String(series.labels), linesOf(series)])
}

/** A store whose samples are packed, with a replica as another thread would have it. */
class Packed {
  readonly store = new SampleStore()
  readonly packer: SamplePacker
  readonly replica = new SampleStore()
  readonly #publisher = new SamplesPublisher(this.store)
  readonly #cache = new BlockCache(1 << 16)

  constructor(tail = TAIL) {
    this.packer = new SamplePacker(this.store, { cacheBytes: 1 << 16, tail })
  }

  /** Sends all changes to the replica and calls `between` after each message. */
  tell(between?: () => void): void {
    for (const news of this.#publisher.news()) {
      applySamplesDelta(this.replica, structuredClone(news), this.#open)
      between?.()
    }
  }

  readonly #open = (stored: StoredSamples): PackedSource =>
    isInMemory(stored) ? new PackedSource(stored, this.#cache) : expect.unreachable('a file on a disk')
}

function draw(random: Random, round: number, name: (typeof NAMES)[number]): NewSample {
  return {
    // Times are later than, equal to, or earlier than those already stored.
    timeMs: round * 1000 - (random.below(8) === 0 ? random.below(30_000) : random.below(3) * 500),
    value: random.below(1000) / random.pick([1, 1, 4, 100, 7]),
    isStale: random.below(40) === 0,
    startTimeMs: random.below(30) === 0 ? 5 : 0,
    ...(name === 'size' &&
      random.below(3) > 0 && {
        histogram: {
          ...EMPTY_HISTOGRAM,
          count: random.below(9),
          sum: round,
          positive: { indexes: [1], counts: [round] },
        },
      }),
  }
}

function matchersOf(labels: Labels): readonly LabelMatcher[] {
  return [...labels.toPairs()].map(([label, value]) => ({ label, op: '=', value }))
}

function choiceOf(random: Random): SampleChoice {
  const matchers: readonly LabelMatcher[] = [
    { label: '__name__', op: '=', value: random.pick(['up', 'size']) },
    { label: 'pod', op: '=~', value: `p[${random.below(4)}-${4 + random.below(4)}]` },
  ]
  const endMs = random.below(90_000)
  return { matchers, startMs: endMs - random.below(20_000), endMs }
}

/** Appends a drawn sample to all stores, which must accept or reject it alike. */
function take(stores: readonly SampleStore[], random: Random, round: number): void {
  const name = random.pick(NAMES)
  const labels = Labels.of({ __name__: name, pod: `p${random.below((round >> 3) + 1)}` })
  const sample = draw(random, round, name)
  const taken = stores.map((store) => {
    if (name === 'sum') return appendDelta(store.writer.getOrCreateSeries(labels), sample)
    store.writer.append(labels, sample)
    return true
  })
  expect(new Set(taken).size).toBe(1)
}

describe.each([1, 2, 3, 4])('samples that are packed in memory, drawn from %d', (seed) => {
  test('are those of a store that has all of them in columns, for readers in other threads, too', () => {
    const random = seededRandom(seed)
    const plain = new SampleStore()
    const packed = new Packed()
    const { store, packer, replica } = packed
    for (let round = 0; round < 120; round++) {
      for (let i = random.below(60); i > 0; i--) take([plain, store], random, round)
      // Interrupts stepwise work at a random point; the next call continues it.
      const turns = packer.keepUp()
      for (let i = random.below(9); i > 0; i--) turns.next()
      if (random.below(3) === 0) runToEnd(packer.settle())
      if (random.below(5) > 0) continue
      packed.tell()
      const endMs = random.below(130_000)
      const range = { startMs: endMs - random.below(20_000), endMs }
      for (const other of [store, replica]) {
        expect(shown(other, range)).toEqual(shown(plain, range))
        expect(shown(other)).toEqual(shown(plain))
      }
    }
    expect(store.sources.all.length).toBeGreaterThan(0)
  })

  test('that are deleted have never been sent', () => {
    const random = seededRandom(seed)
    const packed = new Packed()
    const { store, packer, replica } = packed
    const never = new SampleStore()
    const choice = choiceOf(random)
    const isChosen = labelsTest(choice.matchers)
    let count = 0
    let chosen = 0
    const add = (samples: number): void => {
      for (let i = 0; i < samples; i++) addOne()
    }
    const addOne = (): void => {
      const labels = Labels.of({ __name__: random.pick(['up', 'size']), pod: `p${random.below(8)}` })
      // Times are slightly out of order and distinct.
      const sample = { ...draw(random, 0, 'up'), timeMs: (count++ ^ 7) * 47 }
      const isGone = isChosen(labels) && isInRange(sample, choice)
      store.writer.append(labels, sample)
      if (isGone && sample.isStale !== true) chosen++
      if (!isGone) never.writer.append(labels, sample)
      if (random.below(20) === 0) runToEnd(packer.keepUp())
    }
    add(2000)
    packed.tell()
    const turns = packer.remove(choice)
    // The samples stay readable until packing is complete.
    for (let next = turns.next(); ; next = turns.next()) {
      if (next.done === true) {
        expect(next.value).toBe(chosen)
        break
      }
      expect(store.sampleCount).toBe(count)
      runToEnd(packer.settle())
    }
    expect(chosen).toBeGreaterThan(0)
    expect(runToEnd(packer.remove(choice))).toBe(0)
    // Later samples lie after the range.
    add(500)
    packed.tell()
    for (const other of [store, replica]) expect(shown(other)).toEqual(shown(never))
  })
})

describe.each([1, 2, 3, 4, 5, 6])('the oldest samples, drawn from %d,', (seed) => {
  test('leave with their file, their series and its exemplars; readers in other threads are informed, whatever comes between two pieces', () => {
    const random = seededRandom(seed)
    const packed = new Packed()
    const { store, packer, replica } = packed
    let sent = 0
    let dropped = 0
    let most = 0
    const change = (round: number): void => {
      for (let i = random.below(30); i > 0; i--) {
        // Some series disappear, others appear, and some return.
        const pod = `p${random.below(9) === 0 ? random.below(round + 1) : round - random.below(3)}`
        const labels = Labels.of({ __name__: random.pick(NAMES), pod })
        store.writer.append(labels, { timeMs: sent, value: random.below(100) })
        if (random.below(6) === 0) store.writer.addExemplar(labels, { timeMs: sent, value: sent, labels: Labels.empty })
        sent++
      }
      most = Math.max(most, store.series.count)
      const turns = packer.keepUp()
      for (let i = random.below(9); i > 0; i--) turns.next()
      if (random.below(6) > 0) return
      if (packer.oldestMs === undefined) packer.freezeColumns()
      if (packer.oldestMs !== undefined) dropped += packer.dropOldest()
    }
    for (let round = 0; round < 300; round++) {
      change(round)
      if (random.below(4) > 0) continue
      packed.tell(() => {
        if (random.below(3) === 0) change(round)
      })
      packed.tell()
      const exemplars = { filters: [[]], guard: undefined, startMs: 0, endMs: Infinity }
      expect(shown(replica)).toEqual(shown(store))
      expect(replica.reader.exemplars(exemplars)).toEqual(store.reader.exemplars(exemplars))
      expect(replica.sampleCount).toBe(store.sampleCount)
      expect(store.sampleCount).toBe(sent - dropped)
      const labels = store.reader.series({ filters: [], guard: undefined, startMs: -Infinity, endMs: Infinity })
      expect(labels).toHaveLength(store.series.count)
      for (const each of labels)
        expect(replica.reader.select({ ...EVERYTHING, matchers: matchersOf(each) }).map(linesOf)).toEqual(
          store.reader.select({ ...EVERYTHING, matchers: matchersOf(each) }).map(linesOf),
        )
    }
    expect(dropped).toBeGreaterThan(sent / 2)
    // Slots are reused, so there are never more slots than series at one time.
    expect(store.series.all).toHaveLength(most)
    expect(replica.series.all.length).toBeLessThanOrEqual(most)
  })

  test('do not come back by what was in work when they left', () => {
    const random = seededRandom(seed)
    const { store, packer } = new Packed()
    const labels = Labels.of({ __name__: 'up' })
    let sent = 0
    const add = (count: number): void => {
      for (let i = 0; i < count; i++) store.writer.append(labels, { timeMs: sent++, value: 1 })
    }
    for (let i = 0; i < 3; i++) {
      add(100)
      runToEnd(packer.settle())
    }
    add(100)
    const work =
      random.below(2) === 0 ? packer.settle() : packer.remove({ matchers: [], startMs: -Infinity, endMs: 20 })
    for (let i = random.below(8); i > 0; i--) work.next()
    const untilMs = packer.oldestMs ?? expect.unreachable('nothing is packed')
    packer.dropOldest()
    while (work.next().done !== true);
    runToEnd(packer.settle())
    const [left] = store.reader.select(EVERYTHING)
    expect(left?.timesMs[0] ?? sent).toBe(untilMs + 1)
    expect(left?.timesMs.length ?? 0).toBe(sent - untilMs - 1)
  })
})

test('a file is not made larger than what may leave at once', () => {
  const { store, packer } = new Packed()
  packer.mostFileBytes = 16_384
  const labels = Labels.of({ __name__: 'up' })
  const random = seededRandom(1)
  for (let i = 0; i < 20_000; i++) {
    store.writer.append(labels, { timeMs: i * 1000, value: random.next() })
    runToEnd(packer.keepUp())
  }
  const sizes = store.sources.all.map(({ stored }) => stored?.bytes ?? 0)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(16_384)
  expect(Math.max(...sizes)).toBeGreaterThan(4096 / 2)
})

test('samples that come while others are deleted stay', () => {
  const { store, packer } = new Packed()
  const labels = Labels.of({ __name__: 'up' })
  for (let i = 0; i < 150; i++) store.writer.append(labels, { timeMs: i, value: i })
  const turns = packer.remove({ matchers: [], startMs: -Infinity, endMs: Infinity })
  turns.next()
  store.writer.append(labels, { timeMs: 200, value: 1 })
  expect(runToEnd(turns)).toBe(150)
  expect(shown(store)).toEqual([['{__name__="up"}', ['200 1  0 ']]])
})

test('exemplars are removed together with their samples', () => {
  const packed = new Packed()
  const { store, packer, replica } = packed
  const labels = Labels.of({ __name__: 'up' })
  for (let i = 0; i < 9; i++) store.writer.addExemplar(labels, { timeMs: i, value: i, labels: Labels.empty })
  packed.tell()
  runToEnd(packer.remove({ matchers: [], startMs: 2, endMs: 6 }))
  packed.tell()
  const request = { filters: [[]], guard: undefined, startMs: 0, endMs: 9 }
  for (const other of [store, replica])
    expect(other.reader.exemplars(request)[0]?.exemplars.map(({ timeMs }) => timeMs)).toEqual([0, 1, 2, 7, 8])
})

test('regular counters take two bytes a sample at most, gauges of two decimals three', { tags: ['slow'] }, () => {
  const random = seededRandom(8)
  for (const [most, next] of [
    [2, (value: number) => value + random.below(300)],
    [3, () => random.below(10_000) / 100],
  ] as const) {
    const { store, packer } = new Packed({ samples: 4096, each: 16 })
    const series = Array.from({ length: 100 }, (_, pod) =>
      store.writer.getOrCreateSeries(Labels.of({ __name__: 'c', pod: `p${pod}` })),
    )
    const bytesBefore = store.bytes
    const values = new Float64Array(series.length)
    for (let i = 0; i < 2000; i++) {
      for (const [s, columns] of series.entries()) {
        values[s] = next(values[s] ?? 0)
        columns.appendValue(i * 15_000 + s * 7, values[s] ?? 0)
      }
      runToEnd(packer.keepUp())
    }
    runToEnd(packer.settle())
    expect((store.bytes - bytesBefore) / 200_000).toBeLessThan(most)
  }
})

test('short runs of many series take little beside their samples', () => {
  const { store, packer } = new Packed({ samples: 4096, each: 16 })
  const random = seededRandom(9)
  const series = Array.from({ length: 1000 }, (_, pod) =>
    store.writer.getOrCreateSeries(Labels.of({ __name__: 'c', pod: `p${pod}` })),
  )
  const bytesBefore = store.bytes
  for (let i = 0; i < 47; i++) {
    for (const [s, columns] of series.entries()) columns.appendValue(i * 15_000 + s, i * 100 + random.below(100))
    runToEnd(packer.keepUp())
  }
  runToEnd(packer.settle())
  // In runs of 16, a sample takes about three bytes, and the list of runs takes as much. One object per run would add
  // six.
  expect(store.sources.all).toHaveLength(3)
  expect((store.bytes - bytesBefore) / 47_000).toBeLessThan(6)
})

test('each call does a share of the work: a few turns for a thousand samples, in which less and less is left', () => {
  const { store, packer } = new Packed({ samples: 20_000, each: 0 })
  const labels = Labels.of({ __name__: 'up' })
  let longest = 0
  let inColumns = 0
  for (let i = 0; i < 200_000; i++) {
    store.writer.append(labels, { timeMs: i * 1000, value: i })
    if (i % 1000 < 999) continue
    longest = Math.max(longest, [...packer.keepUp()].length)
    inColumns = Math.max(inColumns, store.bytes)
  }
  expect(longest).toBeLessThanOrEqual(8)
  // Memory holds the samples in columns, the frozen ones that are not packed yet, and all packed ones.
  expect(inColumns).toBeLessThan(2 * 2 * 16 * 25_000 + 200_000)
})

test('failed packing is retried', () => {
  const { store, packer } = new Packed()
  const labels = Labels.of({ __name__: 'up' })
  for (let i = 0; i < 500; i++) store.writer.append(labels, { timeMs: i, value: i })
  const before = shown(store)
  vi.spyOn(store.sources, 'replace').mockImplementationOnce(() => {
    throw new RangeError('no memory')
  })
  expect(() => runToEnd(packer.settle())).toThrow('no memory')
  expect(shown(store)).toEqual(before)
  runToEnd(packer.settle())
  expect(store.sources.all.map(({ name }) => name)).toEqual(['packed 2'])
  expect(shown(store)).toEqual(before)
})
