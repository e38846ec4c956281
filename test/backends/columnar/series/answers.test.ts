import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../../../src/base/index.ts'
import { answerJson, STABLE_FLAGS } from '../../../../src/backends/columnar/series/index.ts'
import { Labels } from '../../../../src/data/index.ts'
import { SampleStore } from '../../../../src/store/samples/index.ts'
import { run, instant, storeOf } from './metrics.ts'

const store = storeOf({
  'a_total{zone=eu,host=h2}': [0, 3, 6, 9, 12],
  'a_total{zone=eu,host=h1}': [0, 3, 6, 9, 12],
  'a_total{zone=us,host=h3}': [0, 1, 2, 3, 4],
  'limit{zone=eu}': [10, 10, 10, 10, 10],
  'limit{zone=us}': [2, 2, 2, 2, 2],
  'gone{zone=eu}': [1, 2, 'stale', null, null],
  'late{zone=eu}': [null, null, 5],
})

async function refusal(query: string): Promise<string> {
  try {
    await instant(store, query, 60)
    return 'answered'
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return error.message
  }
}

describe('order', () => {
  test('instant vectors are ordered by label set', async () => {
    expect(await instant(store, 'a_total', 60)).toEqual([
      '{__name__="a_total", host="h1", zone="eu"} 12',
      '{__name__="a_total", host="h2", zone="eu"} 12',
      '{__name__="a_total", host="h3", zone="us"} 4',
    ])
  })

  test('ties of topk go to the first label set, and the result is ranked', async () => {
    expect(await instant(store, 'topk(1, a_total)', 60)).toEqual(['{__name__="a_total", host="h1", zone="eu"} 12'])
    expect(await instant(store, 'bottomk(2, a_total)', 60)).toEqual([
      '{__name__="a_total", host="h3", zone="us"} 4',
      '{__name__="a_total", host="h1", zone="eu"} 12',
    ])
    expect(await instant(store, 'sort_desc(limit)', 60)).toEqual([
      '{__name__="limit", zone="eu"} 10',
      '{__name__="limit", zone="us"} 2',
    ])
  })
})

describe('names', () => {
  test('label sets are in order and apart once names are gone, whatever stood before the name', async () => {
    // Capitals sort before `__name__`: with the name, the set without a `Zone` comes last; without the name, it comes
    // first.
    const capitals = storeOf({ 'm{}': [1], 'm{Zone=eu}': [2], 'n{Zone=us}': [3] })
    expect(await instant(capitals, 'm', 0)).toEqual(['{Zone="eu", __name__="m"} 2', '{__name__="m"} 1'])
    expect(await instant(capitals, 'abs(m)', 0)).toEqual(['{} 1', '{Zone="eu"} 2'])
    const { answer } = await run(capitals, 'abs(m)', { startMs: 0, endMs: 1000, stepMs: 1000 })
    expect(answer.type === 'matrix' && answer.series.map(({ labels }) => String(labels))).toEqual(['{}', '{Zone="eu"}'])
    const names = storeOf({ 'a{x=2}': [1], 'b{x=1}': [2] })
    expect(await instant(names, 'abs({x=~".+"})', 0)).toEqual(['{x="1"} 2', '{x="2"} 1'])
  })

  test('a name that goes at the end can be put to use before', async () => {
    const query = 'label_replace(abs(a_total{host="h1"}), "__name__", "abs_$1", "__name__", "(.+)")'
    expect(await instant(store, query, 60)).toEqual(['{__name__="abs_a_total", host="h1", zone="eu"} 12'])
  })

  const eu = '{host="h1", zone="eu"}'
  const named = '{__name__="a_total", host="h1", zone="eu"}'
  test.each([
    ['abs(h1) > on (zone, host) h1 - 1', `${eu} 12`],
    ['abs(h1) >= h1', `${named} 12`],
    ['increase(h1[1m]) >= increase(h1[1m])', `${named} 12`],
    ['h1 <= abs(h1)', `${named} 12`],
    ['-h1 < h1', `${named} -12`],
    ['h1 * 1 == h1 * 1', `${named} 12`],
    ['(h1 * h1) / h1 == h1', `${eu} 12`],
    ['abs(h1) != ignoring (host) limit{zone="eu"}', '{__name__="a_total", zone="eu"} 12'],
    ['abs(h1) > on (zone) group_left () limit', `${named} 12`],
    ['limit < on (zone) group_right () abs(h1)', '{__name__="a_total", host="h1", zone="eu"} 10'],
    ['abs(h1) > fill (1) absent_metric', `${named} 12`],
    ['(abs(h1) >= h1) >= 0', `${named} 12`],
    ['abs(abs(h1) >= h1)', `${eu} 12`],
    ['abs(h1) >= bool h1', `${eu} 1`],
    ['abs(h1) >= 0', `${eu} 12`],
    ['0 <= abs(h1)', `${eu} 12`],
    ['abs(h1) and h1', `${eu} 12`],
    ['abs(h1) or h1', `${eu} 12`],
    ['h1 unless absent_metric', `${named} 12`],
  ])('a comparison of two vectors brings back a name that was to be dropped: %s', async (query, wanted) => {
    expect(await instant(store, query.replaceAll('h1', 'a_total{host="h1"}'), 60)).toEqual([wanted])
  })

  test('removed at once, a name is no longer there to be replaced', async () => {
    const query = 'label_replace(abs(a_total{host="h1"}), "was", "$1", "__name__", "(.+)")'
    const times = { startMs: 60_000, endMs: 60_000, stepMs: 0 }
    const { answer } = await run(store, query, times, STABLE_FLAGS)
    expect(answer.type === 'vector' && String(answer.samples[0]?.labels)).toBe('{host="h1", zone="eu"}')
  })
})

describe('selection', () => {
  test.each([
    [15, ['{zone="eu"} 2']],
    [30, []],
    [45, []],
  ])('a series is gone from its staleness marker on: at %i s', async (seconds, wanted) => {
    expect(await instant(store, 'gone + 0', seconds)).toEqual(wanted)
  })

  test.each([
    [329.999, 1],
    [330, 0],
  ])('a sample is looked back at for less than five minutes: at %d s', async (seconds, count) => {
    expect(await instant(store, 'late', seconds)).toHaveLength(count)
  })

  test('windows leave their start out', async () => {
    expect(await instant(store, 'count_over_time(limit{zone="eu"}[30s])', 60)).toEqual(['{zone="eu"} 2'])
    expect(await instant(store, 'count_over_time(limit{zone="eu"}[30001ms])', 60)).toEqual(['{zone="eu"} 3'])
  })
})

describe('matching', () => {
  test('many to one takes labels over', async () => {
    expect(await instant(store, 'a_total / on (zone) group_left () limit', 60)).toEqual([
      '{host="h1", zone="eu"} 1.2',
      '{host="h2", zone="eu"} 1.2',
      '{host="h3", zone="us"} 2',
    ])
  })

  test.each([
    ['limit + on (zone) a_total', /^found duplicate series for the match group \{zone="eu"\} on the right hand-side/],
    ['a_total + on (zone) limit', /^multiple matches for labels: many-to-one matching must be explicit/],
    ['a_total + on (zone) group_left (host) limit', /^multiple matches for labels: grouping labels must ensure unique/],
    ['count_values("\\xff", limit)', /^invalid label name "\\xff"$/],
    ['label_join(limit, "", "", "zone")', /^invalid destination label name in label_join\(\): $/],
    ['label_join(limit, "x", "", "zone", "")', /^invalid source label name in label_join\(\): $/],
    ['label_replace(nothing, "", "", "zone", "")', /^invalid destination label name in label_replace\(\): $/],
    ['label_replace(limit, "a\\xff", "", "zone", "")', /^invalid destination label name in label_replace\(\): a�$/],
    ['label_replace(nothing, "x", "", "zone", "(")', /regular expression/],
    ['limit_ratio(0 / 0, limit)', /^Ratio value is NaN$/],
    ['topk(1e300, limit)', /int64/],
    ['double_exponential_smoothing(a_total[1m], 1, 0.5)', /^invalid smoothing factor/],
    ['info(a_total, {__name__=~".+", host=~"(?:.*"})', /regular expression|missing/],
  ])('%s is refused', async (query, message) => {
    expect(await refusal(query)).toMatch(message)
  })
})

test('annotations name their place once', async () => {
  const times = { startMs: 0, endMs: 60_000, stepMs: 15_000 }
  const { notes } = await run(store, 'quantile(2, limit)\n+ on () quantile(2, limit)', times)
  expect(notes).toEqual([
    'PromQL warning: quantile value should be between 0 and 1, got 2 (1:10)',
    'PromQL warning: quantile value should be between 0 and 1, got 2 (2:18)',
  ])
})

describe('as JSON', () => {
  const jsonOf = async (of: SampleStore, query: string, stepMs = 0): Promise<string> => {
    const { answer } = await run(of, query, { startMs: 0, endMs: stepMs, stepMs })
    return Buffer.concat([...answerJson(answer, { warnings: [], infos: [] })]).toString()
  }
  const odd = new SampleStore()
  const names = ['__name__', 'back\\slash', 'é', '😀', 'a"b']
  const oddLabels = Labels.from(names.map((name, i) => [name, `${i}"\\\n\u0007\ud800é😀\u007f`]))
  odd.writer.append(oddLabels, { timeMs: 0, value: 0.1 })

  test('labels of any characters read back as they are', async () => {
    for (const stepMs of [0, 1000]) {
      const parsed = JSON.parse(await jsonOf(odd, '{__name__=~".+"}', stepMs)) as {
        data: { result: { metric: Record<string, string> }[] }
      }
      expect(parsed.data.result.map(({ metric }) => metric)).toEqual([{ ...oddLabels.toRecord() }])
    }
    expect(await jsonOf(store, 'sum(limit)')).toContain('{"metric":{},"value":[0,"12"]}')
  })

  test('numbers with and without digits stand behind one another', async () => {
    const values = [NaN, 1.5, Infinity, -0, 1e-9, 1e21, 0.1, -2, NaN, NaN, 3]
    const many = new SampleStore()
    for (const [i, value] of values.entries()) {
      many.writer.append(Labels.of({ __name__: 'one' }), { timeMs: i * 1000, value })
      many.writer.append(Labels.of({ __name__: 'many', i: String(i).padStart(2, '0') }), { timeMs: 0, value })
    }
    const texts = ['NaN', '1.5', '+Inf', '-0', '1e-09', '1e+21', '0.1', '-2', 'NaN', 'NaN', '3']
    const { answer } = await run(many, 'one', { startMs: 0, endMs: 10_000, stepMs: 1000 })
    expect(Buffer.concat([...answerJson(answer, { warnings: [], infos: [] })]).toString()).toContain(
      `"values":[${texts.map((text, i) => `[${i},"${text}"]`).join(',')}]`,
    )
    const found = JSON.parse(await jsonOf(many, 'many')) as { data: { result: { value: [number, string] }[] } }
    expect(found.data.result.map(({ value }) => value)).toEqual(texts.map((text) => [0, text]))
  })

  test.each([
    ['1e21', '1000000000000000000000'],
    ['-1e21', '-1000000000000000000000'],
    ['1e-7', '0.0000001'],
    ['-2.5e-9', '-0.0000000025'],
    ['1e20', '100000000000000000000'],
    ['1.5e22', '15000000000000000000000'],
    ['0.000001', '0.000001'],
    ['5e-324', `0.${'0'.repeat(323)}5`],
    ['1.7976931348623157e308', `17976931348623157${'0'.repeat(292)}`],
    ['scalar(limit{zone="us"}) * 1e300', `2${'0'.repeat(300)}`],
    ['time() * 1e15 + 1e24', `1${'0'.repeat(24)}`],
    ['-0', '-0'],
    ['0', '0'],
    ['Inf', '+Inf'],
    ['-Inf', '-Inf'],
    ['NaN', 'NaN'],
    ['0.1 + 0.2', '0.30000000000000004'],
  ])('the scalar %s has no exponent', async (query, digits) => {
    expect(await jsonOf(store, query)).toContain(`"resultType":"scalar","result":[0,"${digits}"]`)
  })

  test('samples of the same values have one', async () => {
    expect(await jsonOf(store, 'vector(1e21)')).toContain('"value":[0,"1e+21"]')
    expect(await jsonOf(store, '1e-7', 1000)).toContain('"values":[[0,"1e-07"],[1,"1e-07"]]')
  })

  test('long answers come in several chunks, whole', async () => {
    const long = new SampleStore()
    for (let i = 0; i < 3000; i++)
      long.writer.append(Labels.of({ __name__: 'm', text: 'é'.repeat(40), i: String(i) }), { timeMs: 0, value: i / 7 })
    for (const stepMs of [0, 1000]) {
      const { answer } = await run(long, 'm', { startMs: 0, endMs: stepMs, stepMs })
      const chunks = [...answerJson(answer, { warnings: [], infos: [] })]
      expect(chunks.length).toBeGreaterThan(3)
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { result: unknown[] } }
      expect(data.result).toHaveLength(3000)
    }
  })
})
