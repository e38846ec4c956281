import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../../../src/base/index.ts'
import { STABLE_FLAGS } from '../../../../src/backends/columnar/series/index.ts'
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
  test('a name that goes at the end can be put to use before', async () => {
    const query = 'label_replace(abs(a_total{host="h1"}), "__name__", "abs_$1", "__name__", "(.+)")'
    expect(await instant(store, query, 60)).toEqual(['{__name__="abs_a_total", host="h1", zone="eu"} 12'])
  })

  test('a name to be dropped stays so through a filter', async () => {
    expect(await instant(store, 'abs(a_total) > on (zone) group_left () limit', 60)).toEqual([
      '{host="h1", zone="eu"} 12',
      '{host="h2", zone="eu"} 12',
      '{host="h3", zone="us"} 4',
    ])
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
    ['label_join(limit, "", "", "zone")', /^invalid label name in label_join\(\): ""$/],
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
