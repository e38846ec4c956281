import { describe, expect, test } from 'vitest'
import { present, SluiceError } from '../../../src/base/index.ts'
import { EMPTY_HISTOGRAM, Labels, withHint } from '../../../src/data/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../../src/plan/series/index.ts'
import { SampleStore, labelNames, labelValues } from '../../../src/store/samples/index.ts'

function storeWith(...records: readonly Record<string, string>[]): SampleStore {
  const store = new SampleStore()
  for (const record of records) store.writer.append(Labels.of(record), { timeMs: 1000, value: 1 })
  return store
}

const store = storeWith(
  { __name__: 'b', zone: 'eu', host: 'h1' },
  { __name__: 'a', zone: 'us', host: 'h2' },
  { __name__: 'a', zone: 'eu' },
  { __name__: 'a', zone: 'eu-west', host: 'a.b' },
)

function find(matchers: readonly LabelMatcher[], guard?: LabelPredicate): readonly string[] {
  return store.reader.select({ matchers, guard, startMs: 0, endMs: 2000 }).map(({ labels }) => String(labels))
}

const matcher = (label: string, op: LabelMatcher['op'], value: string): LabelMatcher => ({ label, op, value })
const A_EU = '{__name__="a", zone="eu"}'
const A_WEST = '{__name__="a", host="a.b", zone="eu-west"}'
const A_US = '{__name__="a", host="h2", zone="us"}'
const B_EU = '{__name__="b", host="h1", zone="eu"}'

describe('matchers', () => {
  test.each([
    ['equal', [matcher('zone', '=', 'eu')], [B_EU, A_EU].sort()],
    ['not equal takes series without the label', [matcher('host', '!=', 'h1')], [A_WEST, A_US, A_EU]],
    ['missing is empty', [matcher('host', '=', '')], [A_EU]],
    ['pattern, anchored', [matcher('zone', '=~', 'eu')], [A_EU, B_EU]],
    ['pattern', [matcher('zone', '=~', 'e.*')], [A_WEST, A_EU, B_EU]],
    ['alternatives', [matcher('host', '=~', 'h1|h2')], [A_US, B_EU]],
    ['alternatives with nothing', [matcher('host', '=~', 'h1|'), matcher('zone', '=', 'eu')], [A_EU, B_EU]],
    ['negated pattern', [matcher('host', '!~', '.+')], [A_EU]],
    ['a dot in a pattern is any character', [matcher('host', '=~', 'a.b')], [A_WEST]],
    ['unknown label', [matcher('nope', '=', 'x')], []],
    ['two at once', [matcher('__name__', '=', 'a'), matcher('zone', '!~', 'eu.*')], [A_US]],
  ])('%s', (_, matchers, wanted) => {
    expect(find(matchers).toSorted()).toEqual(wanted.toSorted())
  })

  test('answers are ordered by label set', () => {
    expect(find([])).toEqual([A_WEST, A_US, A_EU, B_EU])
  })

  test('a broken pattern is refused', () => {
    expect(() => find([matcher('zone', '=~', 'a)(')])).toThrow(SluiceError)
  })
})

describe('the guard', () => {
  const isEu: LabelPredicate = { kind: 'matcher', matcher: matcher('zone', '=~', 'eu.*') }
  const isA: LabelPredicate = { kind: 'matcher', matcher: matcher('__name__', '=', 'a') }
  test.each<[string, LabelPredicate, readonly string[]]>([
    ['one matcher', isEu, [A_WEST, A_EU, B_EU]],
    ['all', { kind: 'all', args: [isEu, isA] }, [A_WEST, A_EU]],
    ['any', { kind: 'any', args: [isEu, isA] }, [A_WEST, A_US, A_EU, B_EU]],
    ['none of', { kind: 'none-of', args: [isEu] }, [A_US]],
    ['nothing at all', { kind: 'any', args: [] }, []],
  ])('%s', (_, guard, wanted) => {
    expect(find([], guard)).toEqual(wanted)
  })

  test('names, values and series show visible series only', async () => {
    const request = { filters: [], guard: { kind: 'none-of', args: [isEu] } as const, startMs: 0, endMs: 2000 }
    expect(await labelValues(store.reader, 'zone', request)).toEqual(['us'])
    expect(await labelNames(store.reader, request)).toEqual(['__name__', 'host', 'zone'])
    expect(store.reader.series(request)).toHaveLength(1)
  })
})

test('series of any of several filters, once each, in the range only', () => {
  const filters = [[matcher('zone', '=', 'eu')], [matcher('__name__', '=', 'a')]]
  const request = { filters, guard: undefined, startMs: 0, endMs: 2000 }
  expect(store.reader.series(request)).toHaveLength(4)
  expect(store.reader.series({ ...request, startMs: 1000 })).toHaveLength(0)
})

describe('samples', () => {
  const labels = Labels.of({ __name__: 'x' })
  const times = (samples: SampleStore, startMs = -Infinity, endMs = Infinity): readonly number[] => [
    ...(samples.reader.select({ matchers: [], guard: undefined, startMs, endMs })[0]?.timesMs ?? []),
  ]

  test('late ones find their place, a second one at a time replaces the first', () => {
    const samples = new SampleStore()
    for (const [timeMs, value] of [
      [10, 1],
      [30, 3],
      [20, 2],
      [30, 33],
      [5, 0],
    ] as const) {
      samples.writer.append(labels, { timeMs, value })
    }
    const [series] = samples.reader.select({ matchers: [], guard: undefined, startMs: 0, endMs: 100 })
    expect([...(series?.timesMs ?? [])]).toEqual([5, 10, 20, 30])
    expect([...(series?.values ?? [])]).toEqual([0, 1, 2, 33])
    expect(samples.sampleCount).toBe(4)
  })

  test('a range leaves its start out and its end in', () => {
    const samples = new SampleStore()
    for (const timeMs of [10, 20, 30]) samples.writer.append(labels, { timeMs, value: 1 })
    expect(times(samples, 10, 30)).toEqual([20, 30])
    expect(times(samples, 30, 40)).toEqual([])
  })

  test('columns handed out do not change when more samples come, late ones included', () => {
    const samples = new SampleStore()
    for (let i = 0; i < 40; i++) samples.writer.append(labels, { timeMs: i * 10, value: i })
    const [held] = samples.reader.select({ matchers: [], guard: undefined, startMs: -1, endMs: 1000 })
    const before = [...present(held).timesMs]
    samples.writer.append(labels, { timeMs: 15, value: 1.5 })
    for (let i = 40; i < 90; i++) samples.writer.append(labels, { timeMs: i * 10, value: i })
    expect([...(held?.timesMs ?? [])]).toEqual(before)
    expect(times(samples)).toHaveLength(91)
  })

  test('staleness is no value: it survives beside a NaN', () => {
    const samples = new SampleStore()
    samples.writer.append(labels, { timeMs: 1, value: NaN })
    samples.writer.append(labels, { timeMs: 2, value: NaN, isStale: true })
    const [series] = samples.reader.select({ matchers: [], guard: undefined, startMs: 0, endMs: 9 })
    expect([...(series?.staleness ?? [])]).toEqual([0, 1])
  })

  test('histograms learn whether they continue the one before', () => {
    const samples = new SampleStore()
    const make = (count: number): typeof EMPTY_HISTOGRAM => ({ ...EMPTY_HISTOGRAM, count })
    const given = [make(5), make(7), make(3), withHint(make(9), 'gauge'), make(10), withHint(make(11), 'reset')]
    given.forEach((histogram, i) => samples.writer.append(labels, { timeMs: i, value: 0, histogram }))
    const [series] = samples.reader.select({ matchers: [], guard: undefined, startMs: -1, endMs: 9 })
    expect(series?.histograms?.map((histogram) => histogram?.hint)).toEqual([
      'unknown',
      'not-reset',
      'unknown',
      'gauge',
      'unknown',
      'reset',
    ])
  })

  test('old samples are forgotten', () => {
    const samples = new SampleStore()
    for (const timeMs of [10, 20, 30]) samples.writer.append(labels, { timeMs, value: 1 })
    for (const each of samples.series.all) each.removeIn(-Infinity, 20)
    expect(times(samples)).toEqual([30])
    for (const each of samples.series.all) each.removeIn(-Infinity, 99)
    expect(samples.sampleCount).toBe(0)
    samples.writer.append(labels, { timeMs: 100, value: 1 })
    expect(times(samples)).toEqual([100])
  })
})
