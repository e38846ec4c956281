import { describe, expect, test } from 'vitest'
import { CUSTOM_SCHEMA, Labels, type Histogram } from '../../../../src/data/index.ts'
import { SluiceError } from '../../../../src/base/index.ts'
import { answerJson, DEFAULT_FLAGS } from '../../../../src/backends/columnar/series/index.ts'
import type { NewSample } from '../../../../src/store/samples/index.ts'
import { SampleStore } from '../../../../src/store/samples/index.ts'
import { histogram, instant, run, storeOf } from './metrics.ts'

function storeWith(series: Readonly<Record<string, readonly NewSample[]>>): SampleStore {
  const store = new SampleStore()
  for (const [name, samples] of Object.entries(series)) {
    for (const sample of samples) store.writer.append(Labels.of({ __name__: name }), sample)
  }
  return store
}

/** Returns the annotations of an instant query, without their positions. */
async function notesOf(store: SampleStore, query: string, seconds = 60): Promise<readonly string[]> {
  const timeMs = seconds * 1000
  const { notes } = await run(store, query, { startMs: timeMs, endMs: timeMs, stepMs: 0 })
  return notes
}

async function histogramOf(store: SampleStore, query: string): Promise<Histogram | undefined> {
  const { answer } = await run(store, query, { startMs: 60_000, endMs: 60_000, stepMs: 0 })
  return answer.type === 'vector' ? answer.samples[0]?.histogram : undefined
}

describe('start times', () => {
  const SECONDS = [0, 15, 30, 45, 60]
  const floats = (start: (s: number) => number): readonly NewSample[] =>
    SECONDS.map((s) => ({ timeMs: s * 1000, value: 100, startTimeMs: start(s) * 1000 }))
  const store = storeWith({
    same_total: floats((s) => s),
    once_total: floats((s) => (s === 30 ? 30 : 0)),
    later_total: floats((s) => s + 1),
    before_total: floats((s) => s - 1),
    same: SECONDS.map((s) => ({
      timeMs: s * 1000,
      value: 0,
      startTimeMs: s * 1000,
      histogram: histogram({ count: 4, sum: 8, buckets: [1, 3] }),
    })),
  })

  test.each(['same_total', 'once_total', 'later_total'])('%s has no reset', async (name) => {
    expect(await instant(store, `increase(${name}[1m])`, 60)).toEqual(['{} 0'])
    expect(await instant(store, `rate(${name}[1m])`, 60)).toEqual(['{} 0'])
    expect(await instant(store, `irate(${name}[1m])`, 60)).toEqual(['{} 0'])
    expect(await instant(store, `resets(${name}[1m])`, 60)).toEqual(['{} 0'])
  })

  test('one right before each sample is one', async () => {
    expect(await instant(store, 'resets(before_total[1m])', 60)).toEqual(['{} 3'])
    // Each of the four samples counts from a zero within the window.
    expect(await instant(store, 'increase(before_total[1m])', 60)).toEqual(['{} 400'])
    expect(await instant(store, 'irate(before_total[1m])', 60)).toEqual([`{} ${100 / 15}`])
  })

  test('histograms the same', async () => {
    expect(await instant(store, 'histogram_count(increase(same[1m]))', 60)).toEqual(['{} 0'])
    expect(await instant(store, 'histogram_count(irate(same[1m]))', 60)).toEqual(['{} 0'])
    expect(await instant(store, 'resets(same[1m])', 60)).toEqual(['{} 0'])
  })
})

describe('sort_by_label', () => {
  const store = storeOf({ 'm{id=b,c=2}': [1], 'm{id=d,c=10}': [1], 'm{id=a}': [1], 'm{id=c,c=x}': [1] })
  const ids = async (query: string): Promise<string> =>
    (await instant(store, query, 0)).map((line) => /id="(.)"/.exec(line)?.[1]).join('')

  test('series without the label come last, and first in descending order', async () => {
    expect(await ids('sort_by_label(m, "c")')).toBe('bdca')
    expect(await ids('sort_by_label_desc(m, "c")')).toBe('acdb')
  })

  test('a second label decides among those without the first', async () => {
    expect(await ids('sort_by_label(m, "none", "id")')).toBe('abcd')
    expect(await ids('sort_by_label_desc(m, "none", "id")')).toBe('dcba')
  })
})

describe('bounds that are NaN or infinite', () => {
  const store = storeOf({ 'v{n=a}': [NaN], 'v{n=b}': [Infinity], 'v{n=c}': [-Infinity], 'v{n=d}': [2] })
  const values = async (query: string): Promise<string> =>
    (await instant(store, query, 0)).map((line) => line.slice(line.lastIndexOf(' ') + 1)).join(' ')

  test.each([
    ['clamp_min(v, NaN)', 'NaN Infinity NaN NaN'],
    ['clamp_min(v, Inf)', 'Infinity Infinity Infinity Infinity'],
    ['clamp_min(v, -Inf)', 'NaN Infinity -Infinity 2'],
    ['clamp_max(v, NaN)', 'NaN NaN -Infinity NaN'],
    ['clamp_max(v, -Inf)', '-Infinity -Infinity -Infinity -Infinity'],
    ['clamp_max(v, Inf)', 'NaN Infinity -Infinity 2'],
    ['clamp(v, NaN, 1)', 'NaN NaN NaN NaN'],
    ['clamp(v, Inf, NaN)', 'Infinity Infinity Infinity Infinity'],
    ['clamp(v, -Inf, NaN)', 'NaN NaN -Infinity NaN'],
    ['vector(max_of(NaN, Inf))', 'Infinity'],
    ['vector(max_of(NaN, -Inf))', 'NaN'],
    ['vector(min_of(-Inf, NaN))', '-Infinity'],
    ['vector(min_of(Inf, NaN))', 'NaN'],
  ])('%s', async (query, wanted) => {
    expect(await values(query)).toBe(wanted)
  })
})

describe('trimming custom buckets', () => {
  const custom = (bounds: readonly number[], counts: readonly number[], sum: number): Histogram =>
    histogram({ schema: CUSTOM_SCHEMA, bounds, count: counts.reduce((a, b) => a + b, 0), sum, buckets: counts })
  const store = storeWith({
    one: [{ timeMs: 0, value: 0, histogram: custom([], [6], 40) }],
    two: [{ timeMs: 0, value: 0, histogram: custom([4], [2, 6], 40) }],
    below: [{ timeMs: 0, value: 0, histogram: custom([-4], [2, 6], 40) }],
    three: [{ timeMs: 0, value: 0, histogram: custom([4, 8], [2, 6, 1], 40) }],
    plain: [{ timeMs: 0, value: 0, histogram: histogram({ count: 3, sum: 4, buckets: [1, 2] }) }],
  })

  test.each([
    // With a single bucket from −Inf to +Inf, the position of the observations is unknown.
    ['one </ Inf', 6, 40],
    ['one </ 3', 0, 0],
    ['one </ -3', 0, 0],
    ['one >/ 3', 0, 0],
    ['one >/ -3', 0, 0],
    ['one >/ -Inf', 6, 40],
    ['one >/ Inf', 0, 0],
    ['one </ -Inf', 0, 0],
    ['one </ NaN', 0, 0],
    // The last bucket has no upper bound.
    ['two >/ Inf', 0, 0],
    ['two >/ 9', 6, 54],
    ['two >/ 4', 6, 24],
    ['two >/ 1', 7.5, 1.5 * 2.5 + 6 * 4],
    ['two >/ -1', 6, 24],
    ['two </ 9', 2, 4],
    ['two </ 1', 0.5, 0.25],
    ['two </ 0', 0, 0],
    ['two </ Inf', 8, 40],
    ['two </ -Inf', 0, 0],
    ['two >/ NaN', 0, 0],
    ['below </ -9', 2, -18],
    ['below </ -Inf', 0, 0],
    ['below >/ -9', 6, -24],
    ['three >/ Inf', 0, 0],
    ['three >/ 6', 4, 3 * 7 + 8],
    ['three </ 6', 5, 2 * 2 + 3 * 5],
    ['plain </ NaN', 0, 0],
    ['plain >/ Inf', 0, 0],
  ])('%s has count %d and sum %d', async (query, count, sum) => {
    const trimmed = await histogramOf(store, query)
    expect([trimmed?.count, trimmed?.sum]).toEqual([count, sum])
  })
})

describe('notes', () => {
  const h = (count: number, sum: number, buckets: readonly number[]): NewSample => ({
    timeMs: 0,
    value: 0,
    histogram: histogram({ count, sum, buckets }),
  })
  const store = storeWith({
    lonely: [{ timeMs: 50_000, value: 1 }],
    pair: [
      { timeMs: 45_000, value: 1 },
      { timeMs: 60_000, value: 2 },
    ],
    mixed: [
      { timeMs: 30_000, value: 1 },
      { timeMs: 45_000, value: 1 },
      { ...h(4, 8, [1, 3]), timeMs: 60_000 },
    ],
    nothing_but_nan: [h(5, NaN, [])],
    some_nan: [h(5, NaN, [2, 2])],
    both_infinities: [h(4, NaN, [2, 2])],
  })

  test('a rate that comes to nothing says nothing of its metric', async () => {
    expect(await notesOf(store, 'rate(lonely[1m])')).toEqual([])
    expect(await notesOf(store, 'increase(lonely[1m] anchored)')).toEqual([
      expect.stringContaining('might not be a counter'),
    ])
    expect(await notesOf(store, 'increase(mixed[1m])')).toEqual([expect.stringContaining('mix of histograms and')])
    expect(await notesOf(store, 'rate(pair[1m])')).toEqual([expect.stringContaining('might not be a counter')])
    expect(await notesOf(store, 'delta(pair[1m])')).toEqual([])
  })

  test.each([
    ['histogram_quantile(0.5, nothing_but_nan)', 'NaN observations, result is NaN'],
    ['histogram_quantile(0, nothing_but_nan)', 'NaN observations, result is skewed higher'],
    ['histogram_quantile(0.5, some_nan)', 'NaN observations, result is skewed higher'],
    ['histogram_quantile(1, some_nan)', 'NaN observations, result is NaN'],
    ['histogram_quantile(0.5, both_infinities)', undefined],
    ['histogram_fraction(0, 1, nothing_but_nan)', 'excluded from all fractions'],
    ['histogram_fraction(0, 1, some_nan)', 'excluded from all fractions'],
    ['histogram_fraction(0, 1, both_infinities)', undefined],
    ['histogram_fraction(1, 0, some_nan)', undefined],
  ])('%s: %s', async (query, wanted) => {
    expect(await notesOf(store, query)).toEqual(wanted === undefined ? [] : [expect.stringContaining(wanted)])
  })

  test.each([
    ['quantile(2, absent_metric)', 'quantile value should be between 0 and 1, got 2 (1:10)'],
    ['quantile(NaN, absent_metric)', 'quantile value should be between 0 and 1, got NaN (1:10)'],
    ['quantile by (x) (-1, some_nan)', 'quantile value should be between 0 and 1, got -1 (1:18)'],
    ['limit_ratio(-2, absent_metric)', 'ratio value should be between -1 and 1, got -2, capping to -1 (1:13)'],
    ['histogram_quantile(2, absent_metric)', 'quantile value should be between 0 and 1, got 2 (1:20)'],
  ])('%s warns of its parameter', async (query, wanted) => {
    expect(await notesOf(store, query)).toContain(`PromQL warning: ${wanted}`)
  })

  test('only the outermost parameters of a range are named', async () => {
    const times = { startMs: 0, endMs: 60_000, stepMs: 15_000 }
    const { notes } = await run(store, 'quantile(time() / 15 - 1, absent_metric)', times)
    expect(notes.map((note) => /got (\S+)/.exec(note)?.[1])).toEqual(['3', '-1'])
  })

  test('quantile_over_time looks at its parameter where it has a window', async () => {
    expect(await notesOf(store, 'quantile_over_time(2, absent_metric[1m])')).toEqual([])
  })
})

describe('a zero bucket with a negative or NaN count', () => {
  const zero = { zeroThreshold: 0.5, zeroCount: 2 }
  const at = (fields: Parameters<typeof histogram>[0]): readonly NewSample[] => [
    { timeMs: 0, value: 0, histogram: histogram(fields) },
  ]
  const store = storeWith({
    nh: at({ count: 4, sum: 8, buckets: [2] }),
    nhz: at({ count: 4, sum: 8, buckets: [2], ...zero }),
    only: at({ count: 2, sum: 0, ...zero }),
    endless: at({ count: Infinity, sum: 0, zeroThreshold: 0.5, zeroCount: Infinity }),
  })
  const jsonOf = async (query: string): Promise<string> => {
    const { answer } = await run(store, query, { startMs: 0, endMs: 0, stepMs: 0 })
    return Buffer.concat([...answerJson(answer, { warnings: [], infos: [] })]).toString()
  }
  const bucket = (count: string): string => `[0,"0.5","1","${count}"]`

  test.each([
    ['nhz', `"count":"4","sum":"8","buckets":[[3,"-0.5","0.5","2"],${bucket('2')}]`],
    ['-nhz', `"count":"-4","sum":"-8","buckets":[${bucket('-2')}]`],
    ['nhz * -2', `"count":"-8","sum":"-16","buckets":[${bucket('-4')}]`],
    ['nhz - 2 * nhz', `"count":"-4","sum":"-8","buckets":[${bucket('-2')}]`],
    ['nhz * 0', '"count":"0","sum":"0"'],
    ['nhz * NaN', `"count":"NaN","sum":"NaN","buckets":[${bucket('NaN')}]`],
    ['nhz / 0', '"count":"+Inf","sum":"+Inf","buckets":[[3,"-0.5","0.5","+Inf"]]'],
    ['nh / 0', '"count":"+Inf","sum":"+Inf"'],
    ['nh / 0 / 0', '"count":"+Inf","sum":"+Inf"'],
    ['-only', '"count":"-2","sum":"-0"'],
    ['endless - endless', '"count":"NaN","sum":"0"'],
  ])('is not in the JSON of %s', async (query, wanted) => {
    expect(await jsonOf(query)).toContain(`"histogram":[0,{${wanted}}]`)
  })

  test.each([
    ['histogram_stddev(nh / 0)', '{} 0'],
    ['histogram_stdvar(nh / 0)', '{} 0'],
    ['histogram_stdvar(-only)', '{} 0'],
    ['histogram_stdvar(endless - endless)', '{} NaN'],
    ['histogram_fraction(-1, 1, -only)', '{} 0'],
    ['histogram_quantile(0.5, nh / 0)', '{} 0'],
    ['histogram_count((-nhz) </ 0)', '{} 0'],
    ['histogram_sum((-nhz) >/ 0)', '{} -8'],
    ['round(histogram_sum((-nhz) >/ 0.75), 0.001)', '{} -0.719'],
  ])('is not read by %s', async (query, wanted) => {
    expect(await instant(store, query, 0)).toEqual([wanted])
  })

  test('is in the text of a histogram as a value', async () => {
    expect(await instant(store, 'count_values("v", -only)', 0)).toEqual(['{v="{count:-2, sum:-0, [-0.5,0.5]:-2}"} 1'])
  })
})

describe('resets of gauge histograms', () => {
  // Histograms with the counts 4, 8, 2, 6 at 0, 15, 30 and 45 s.
  const drop = (hint: (i: number) => Histogram['hint']): readonly NewSample[] =>
    [4, 8, 2, 6].map((count, i) => ({
      timeMs: i * 15_000,
      value: 0,
      histogram: histogram({ count, sum: count, buckets: [count], hint: hint(i) }),
    }))
  const gauge = drop(() => 'gauge')
  const store = storeWith({
    nhg: gauge,
    nh: drop(() => 'unknown'),
    once: drop((i) => (i === 2 ? 'gauge' : 'unknown')),
    growing: gauge.map((sample, i) => ({ ...sample, histogram: histogram({ count: i, buckets: [i], hint: 'gauge' }) })),
  })
  const typed = new SampleStore()
  for (const type of ['gauge', 'gaugehistogram', 'histogram'])
    for (const sample of gauge) typed.writer.append(Labels.of({ __name__: 'nhg', __type__: type }), sample)
  const valueOf = async (
    of: SampleStore,
    query: string,
    hasTypeAndUnitLabels: boolean,
  ): Promise<number | undefined> => {
    const flags = { ...DEFAULT_FLAGS, hasTypeAndUnitLabels }
    const { answer } = await run(of, query, { startMs: 45_000, endMs: 45_000, stepMs: 0 }, flags)
    return answer.type === 'vector' ? answer.samples[0]?.value : undefined
  }

  test.each([
    ['resets(NAME[1m])', 1],
    ['resets(NAME[1m:15s])', 1],
    ['resets(NAME[1m] anchored)', 1],
    // The window holds all samples, so nothing is extrapolated: 4 up, 2 after the reset, 4 up.
    ['histogram_count(increase(NAME[45s] anchored))', 10],
    ['histogram_count(increase(NAME[45s] smoothed))', 10],
    ['45 * histogram_count(rate(NAME[45s] anchored))', 10],
    ['histogram_count(irate(NAME[20s] offset 15s)) * 15', 2],
    ['resets((NAME - 2 * NAME)[1m:15s])', 2],
    ['histogram_count(delta(NAME[45s] anchored))', 2],
  ])('are looked for in the buckets: %s', async (query, wanted) => {
    for (const name of ['nhg', 'nh', 'once']) {
      expect(await valueOf(store, query.replaceAll('NAME', name), false)).toBeCloseTo(wanted, 9)
    }
  })

  test.each([
    ['nhg', false, 5],
    ['nh', false, 1],
    ['once', false, 1],
    ['nhg', true, 5],
  ])('%s smoothed between a sample and a lower one, types read: %s', async (name, hasTypes, wanted) => {
    expect(await valueOf(store, `histogram_count(${name} smoothed offset 22500ms)`, hasTypes)).toBe(wanted)
  })

  test('a gauge that grows has none, and all of them warn', async () => {
    expect(await valueOf(store, 'resets(growing[1m])', false)).toBe(0)
    for (const query of ['increase(nhg[1m])', 'rate(nhg[1m])', 'irate(nhg[1m])', 'rate(nhg[1m] smoothed)'])
      expect(await notesOf(store, query, 45)).toEqual([expect.stringContaining('is not a counter: "nhg"')])
  })

  test.each([
    ['resets(nhg{__type__="gauge"}[1m])', 0, 1],
    ['resets(nhg{__type__="gaugehistogram"}[1m])', 0, 1],
    ['resets(nhg{__type__="histogram"}[1m])', 1, 1],
    ['histogram_count(increase(nhg{__type__="gauge"}[45s] anchored))', 2, 10],
    ['histogram_count(increase(nhg{__type__="histogram"}[45s] anchored))', 10, 10],
    ['histogram_count(irate(nhg{__type__="gauge"}[20s] offset 15s)) * 15', -6, 2],
  ])('a series whose type is a gauge has none where types are read: %s', async (query, withTypes, without) => {
    expect(await valueOf(typed, query, true)).toBeCloseTo(withTypes, 9)
    expect(await valueOf(typed, query, false)).toBeCloseTo(without, 9)
  })
})

describe('factors of double_exponential_smoothing', () => {
  const store = storeWith({
    one: [{ timeMs: 60_000, value: 1 }],
    three: [30, 45, 60].map((seconds, i) => ({ timeMs: seconds * 1000, value: i })),
    native: [{ timeMs: 60_000, value: 0, histogram: histogram({ count: 4, sum: 8, buckets: [1, 3] }) }],
  })
  const outcome = async (query: string): Promise<string> => {
    try {
      return (await instant(store, query, 60)).join()
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return error.message
    }
  }
  const bad = (name: string, symbol: string, got: string): string =>
    `invalid ${name} factor. Expected: 0 < ${symbol} < 1, got: ${got}`

  test.each([
    ['one[15s], 0.5, 0', bad('trend', 'tf', '0.000000')],
    ['one[15s], 1, 0.5', bad('smoothing', 'sf', '1.000000')],
    ['one[15s], 2, 2', bad('smoothing', 'sf', '2.000000')],
    ['one[15s], -1.5, 0.5', bad('smoothing', 'sf', '-1.500000')],
    ['one[15s], 0.5, 1e-9', ''],
    ['one[15s], 0.5, 1e21', bad('trend', 'tf', '1000000000000000000000.000000')],
    ['one[15s], 0.5, -Inf', bad('trend', 'tf', '-Inf')],
    ['one[15s], 0.5, Inf', bad('trend', 'tf', '+Inf')],
    ['one[15s], time(), 0.5', bad('smoothing', 'sf', '60.000000')],
    ['native[15s], 0.5, 1', bad('trend', 'tf', '1.000000')],
    ['three[1m], 0.5, 0', bad('trend', 'tf', '0.000000')],
    ['(three > 0)[15s:15s], 0.5, 0', bad('trend', 'tf', '0.000000')],
    // Without a sample in the window there is no result and no error.
    ['none[15s], 0.5, 0', ''],
    ['one[15s] offset 1m, 0.5, 0', ''],
    ['one[15s], 0.5, 0.5', ''],
    // NaN is not rejected as out of range.
    ['one[15s], NaN, 0.5', ''],
    ['three[1m], NaN, 0.5', '{} NaN'],
    ['three[1m], 0.5, NaN', '{} NaN'],
    ['three[1m], 0.5, 0.5', '{} 2'],
  ])('%s: %s', async (args, wanted) => {
    expect(await outcome(`double_exponential_smoothing(${args})`)).toBe(wanted)
  })

  test('only steps with a sample in their window matter', async () => {
    const times = { startMs: 0, endMs: 60_000, stepMs: 15_000 }
    // The only sample is at 60 s, where the factor is in range.
    const query = 'double_exponential_smoothing(one[15s], 1 - time() / 61, 0.5)'
    expect((await run(store, query, times)).answer).toMatchObject({ type: 'matrix', series: [] })
    const late = run(store, 'double_exponential_smoothing(one[15s], time() / 60, 0.5)', times)
    await expect(late).rejects.toThrow('invalid smoothing factor')
  })
})

describe('places and texts of notes', () => {
  const at = (count: number): NewSample => ({
    timeMs: count * 15_000,
    value: 0,
    histogram: histogram({ count, sum: 8, buckets: [count] }),
  })
  const store = storeWith({
    nh: [at(1), at(2), at(3), at(4)],
    mixed: [at(1), { timeMs: 30_000, value: 1 }, at(4)],
    up: [1, 2, 3, 4].map((value) => ({ timeMs: value * 15_000, value })),
  })
  const buckets = storeOf({
    'b{le=0.5}': [10, 20],
    'b{le=1}': [8, 10],
    'b{le=1000000}': [9, 20],
    'b{le=+Inf}': [7.5, 40],
    'tiny{le=0.00001}': [2],
    'tiny{le=+Inf}': [1],
    'zero{le=-1}': [2],
    'zero{le=0}': [1.9876],
    'zero{le=+Inf}': [4],
    'rising{le=1}': [1],
    'rising{le=+Inf}': [2],
  })
  const placesOf = async (query: string): Promise<readonly string[]> =>
    (await notesOf(store, query)).map((note) => /\((\d+:\d+)\)$/.exec(note)?.[1] ?? note)

  test.each([
    // Annotations on a subquery have no position.
    ['1 + rate(up[1m:15s])', ['1:1']],
    ['sum(rate((nh)[1m:15s]))', []],
    ['sum(delta((nh)[1m:15s]))', ['1:1']],
    ['  increase(mixed[1m:15s])', ['1:1']],
    ['  irate(mixed[1m:15s])', ['1:1']],
    ['\n sum_over_time(mixed[1m:15s])', ['1:1']],
    ['  max_over_time(mixed[1m:15s])', ['1:1']],
    ['vector(time()) + on () quantile_over_time(2, up[1m:15s])', ['1:43']],
    ['  increase(mixed[1m])', ['1:12']],
    ['  max_over_time(mixed[1m])', ['1:17']],
    // The position is the operator for topk and bottomk, and the input for other aggregations.
    ['  topk(1, nh)', ['1:3']],
    ['  bottomk by (x) (3, nh)', ['1:3']],
    ['  max(nh)', ['1:7']],
    ['  quantile(0.5, nh)', ['1:17']],
    ['  topk(-1, nh)', []],
    ['  topk(0, nh)', []],
    ['  bottomk(0.9, nh)', []],
    ['  topk(1, nh > 0)', ['1:11']],
  ])('%j has notes at %j', async (query, places) => {
    expect((await placesOf(query)).toSorted()).toEqual(places)
  })

  test('topk mentions histograms at steps where it chooses', async () => {
    const times = { startMs: 15_000, endMs: 60_000, stepMs: 15_000 }
    const mention = [expect.stringContaining('ignored histogram in topk aggregation (1:1)')]
    expect((await run(store, 'topk(time() - 44, nh)', times)).notes).toEqual(mention)
    expect((await run(store, 'topk(time() - 60, nh)', times)).notes).toEqual([])
  })

  const link = 'https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile'
  const lifted = (rest: string): string =>
    `PromQL info: input to histogram_quantile needed to be fixed for monotonicity (see ${link}) for metric name ${rest} (1:25)`
  test.each([
    [
      'histogram_quantile(0.5, b)',
      0,
      '"b", from buckets 1 to +Inf, with a max diff of 2.5, over 1 samples from 1970-01-01T00:00:00Z to 1970-01-01T00:00:00Z',
    ],
    [
      'histogram_quantile(0.5, b)',
      15_000,
      '"b", from buckets 1 to +Inf, with a max diff of 10, over 2 samples from 1970-01-01T00:00:00Z to 1970-01-01T00:00:15Z',
    ],
    [
      'histogram_quantile(0.5, tiny)',
      0,
      '"tiny", from buckets +Inf to +Inf, with a max diff of 1, over 1 samples from 1970-01-01T00:00:00Z to 1970-01-01T00:00:00Z',
    ],
    [
      'histogram_quantile(0.5, zero)',
      0,
      '"zero", from buckets 0 to 0, with a max diff of 0.012, over 1 samples from 1970-01-01T00:00:00Z to 1970-01-01T00:00:00Z',
    ],
    [
      'histogram_quantile(0.5, b{le!="1"} * 100)',
      0,
      '"b", from buckets 1e+06 to +Inf, with a max diff of 2.5e+02, over 1 samples from 1970-01-01T00:00:00Z to 1970-01-01T00:00:00Z',
    ],
  ])('%s up to %d ms tells which counts were lifted', async (query, endMs, rest) => {
    const { notes } = await run(buckets, query, { startMs: 0, endMs, stepMs: endMs })
    expect(notes).toEqual([lifted(rest)])
  })

  test('two calls over one metric have a note each, at its place', async () => {
    const notes = await notesOf(buckets, 'histogram_quantile(0.5, b) + histogram_quantile(0.9, b)', 0)
    expect(notes.map((note) => /\((\d+:\d+)\)$/.exec(note)?.[1])).toEqual(['1:25', '1:54'])
  })

  test.each(['-{__name__=~"up|nh"}', 'label_replace({__name__=~"up|nh"}, "__name__", "x", "", "")'])(
    'a float and a histogram of one label set at one time are an error: %s',
    async (query) => {
      await expect(instant(store, query, 15)).rejects.toThrow('the same labelset')
    },
  )

  test('counts that rise, and quantiles out of range, lift nothing', async () => {
    expect(await notesOf(buckets, 'histogram_quantile(0.5, rising)', 0)).toEqual([])
    expect(await notesOf(buckets, 'histogram_quantile(2, b)', 0)).toEqual([expect.stringContaining('between 0 and 1')])
  })
})

describe('series that match many times', () => {
  const store = storeOf({ 'one{g=1}': [1], 'many{g=1,n=b}': [1], 'many{g=1,n=a}': [1], 'many{g=1,n=c}': [1] })
  const refusal = async (query: string): Promise<string> => {
    try {
      await instant(store, query, 0)
      return 'answered'
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return error.message
    }
  }

  test.each([
    ['one + on (g) many', 'right'],
    ['many + on (g) group_right () one', 'left'],
    ['one + on (g) label_replace(many, "n", "z", "n", "a")', 'right'],
  ])('%s names two of the %s in the order of their labels', async (query, side) => {
    const message = await refusal(query)
    expect(message).toContain(`on the ${side} hand-side`)
    const names = [...message.matchAll(/n="(.)"/g)].map(([, name]) => name)
    expect(names).toHaveLength(2)
    expect((names[0] ?? '') < (names[1] ?? '')).toBe(true)
  })
})

test('a bucket that a share is taken of counts as it is, a quantile makes counts ascend', async () => {
  const store = storeOf({ 'b{le=1}': [8], 'b{le=2}': [4], 'b{le=+Inf}': [10] })
  expect(await instant(store, 'histogram_fraction(0, 2, b)', 0)).toEqual(['{} 0.4'])
  expect(await instant(store, 'histogram_quantile(0.4, b)', 0)).toEqual(['{} 0.5'])
})
