import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Labels, EMPTY_HISTOGRAM, denseBuckets, type Histogram } from '../../../src/data/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../../src/plan/index.ts'
import { SampleStore, type NewSample, type SeriesSamples } from '../../../src/store/index.ts'
import { SqliteSamples, histogramFromBytes, histogramToBytes, openSqlite } from '../../../src/store/sqlite/index.ts'

const label = fc.constantFrom('__name__', 'zone', 'a.b', 'ü')
const value = fc.constantFrom('', 'x', 'y', 'X', 'x|y', '😀', '\uD800', 'a\0b', "'")
const labels = fc.array(fc.tuple(label, value), { maxLength: 4 }).map((pairs) => Labels.from(pairs))

const numbers = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 5e-324, 2 ** 53 + 2, 1e308),
  fc.integer(),
)
const histograms: fc.Arbitrary<Histogram> = fc
  .record({
    counts: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
    negative: fc.array(numbers, { maxLength: 3 }),
    sum: numbers,
    zeroCount: fc.integer({ min: 0, max: 3 }),
    hint: fc.constantFrom('unknown' as const, 'reset' as const, 'not-reset' as const, 'gauge' as const),
    schema: fc.constantFrom(-53, -4, 0, 8),
  })
  .map(({ counts, negative, schema, ...rest }) => ({
    ...EMPTY_HISTOGRAM,
    ...rest,
    schema,
    count: counts.reduce((sum, count) => sum + count, 0),
    positive: denseBuckets(-1, counts),
    negative: denseBuckets(2, negative),
    bounds: schema === -53 ? [1, 2.5] : [],
  }))

const sample: fc.Arbitrary<NewSample & { readonly labels: Labels }> = fc.record(
  {
    labels,
    timeMs: fc.integer({ min: -30, max: 30 }),
    value: numbers,
    isStale: fc.boolean(),
    histogram: histograms,
    startTimeMs: fc.constantFrom(0, 0, -5, 7),
  },
  { requiredKeys: ['labels', 'timeMs', 'value'] },
)

const matcher: fc.Arbitrary<LabelMatcher> = fc.oneof(
  fc.record({ label, op: fc.constantFrom('=' as const, '!=' as const), value }),
  fc.record({
    label,
    op: fc.constantFrom('=~' as const, '!~' as const),
    value: fc.constantFrom('x|y', '(?i)x', '.*', '.+', '|x', '[^x]', 'none'),
  }),
)
const predicate = fc.letrec<{ predicate: LabelPredicate }>((tie) => ({
  predicate: fc.oneof(
    { maxDepth: 2 },
    matcher.map((given): LabelPredicate => ({ kind: 'matcher', matcher: given })),
    fc.record({
      kind: fc.constantFrom('all' as const, 'any' as const, 'none-of' as const),
      args: fc.array(tie('predicate'), { maxLength: 3 }),
    }),
  ),
})).predicate

/** Normalizes series: absent lists count as empty, and the number next to a histogram is ignored. */
function shown(found: readonly SeriesSamples[]): unknown {
  return found.map(({ labels: of, timesMs, values, staleness, histograms: lists, startTimesMs }) => ({
    labels: of.toPairs(),
    samples: Array.from(timesMs, (timeMs, i) => {
      const histogram = lists?.[i]
      const isStale = histogram === undefined && staleness?.[i] === 1
      return [timeMs, isStale ? 'stale' : (histogram ?? values[i]), startTimesMs?.[i] ?? 0]
    }),
  }))
}

describe('samples in SQLite', () => {
  test('answer as the store in memory does', async () => {
    const question = fc.record({
      matchers: fc.array(matcher, { maxLength: 3 }),
      filters: fc.array(fc.array(matcher, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
      guard: fc.option(predicate, { nil: undefined }),
      startMs: fc.oneof(fc.integer({ min: -31, max: 31 }), fc.constantFrom(-8.64e15, -0.5)),
      endMs: fc.oneof(fc.integer({ min: -31, max: 31 }), fc.constantFrom(8.64e15, 3.5)),
    })
    let selected = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(sample, { minLength: 5, maxLength: 60 }),
        fc.array(question, { minLength: 4, maxLength: 8 }),
        fc.integer({ min: 1, max: 20 }),
        async (samples, questions, batchSize) => {
          const memory = new SampleStore()
          for (const { labels: of, ...rest } of samples) memory.writer.append(of, rest)
          const connection = await openSqlite(':memory:')
          const sqlite = new SqliteSamples(connection)
          for (let i = 0; i < samples.length; i += batchSize) sqlite.append(samples.slice(i, i + batchSize))
          for (const request of questions) {
            const found = sqlite.select(request)
            selected += found.length
            expect(shown(found)).toEqual(shown(memory.reader.select(request)))
            expect(sqlite.series(request).map(String)).toEqual(memory.reader.series(request).map(String))
          }
          connection.close()
        },
      ),
      { numRuns: 150, seed: 4 },
    )
    expect(selected).toBeGreaterThan(500)
  })

  test('where only presence counts, times and staleness are those of memory', async () => {
    const connection = await openSqlite(':memory:')
    const sqlite = new SqliteSamples(connection)
    const of = Labels.of({ __name__: 'm' })
    sqlite.append([
      { labels: of, timeMs: 1, value: 5, startTimeMs: 1 },
      { labels: of, timeMs: 2, value: NaN, isStale: true },
      { labels: of, timeMs: 3, value: 0, histogram: EMPTY_HISTOGRAM },
    ])
    const all = { matchers: [], guard: undefined, startMs: 0, endMs: 9 }
    const [found] = sqlite.select({ ...all, isPresenceOnly: true })
    expect([[...(found?.timesMs ?? [])], [...(found?.staleness ?? [])], found?.histograms]).toEqual([
      [1, 2, 3],
      [0, 1, 0],
      undefined,
    ])
    expect(sqlite.select(all)[0]?.histograms).toEqual([undefined, undefined, EMPTY_HISTOGRAM])
    connection.close()
  })

  test('histograms come back bit by bit', () => {
    fc.assert(
      fc.property(histograms, (histogram) => {
        expect(histogramFromBytes(histogramToBytes(histogram))).toEqual(histogram)
      }),
      { seed: 5 },
    )
  })

  test('a batch that fails leaves nothing behind', async () => {
    const connection = await openSqlite(':memory:')
    const sqlite = new SqliteSamples(connection)
    const good = { labels: Labels.of({ a: 'b' }), timeMs: 1, value: 1 }
    expect(() => sqlite.append([good, { ...good, timeMs: 0.5 }])).toThrow(RangeError)
    const all = { matchers: [], guard: undefined, startMs: -10, endMs: 10 }
    expect(sqlite.select(all)).toEqual([])
    sqlite.append([good])
    expect(sqlite.select(all)).toHaveLength(1)
    connection.close()
  })
})
