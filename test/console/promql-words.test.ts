import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { metricsOf } from '../../src/console/pages/metrics/metric-names.ts'
import {
  chartedSeries,
  exemplarsOf,
  instantRows,
  labelsText,
  timesOf,
} from '../../src/console/pages/metrics/metric-series.ts'
import { coloursOf, wantedAt } from '../../src/console/pages/metrics/promql-words.ts'

/**
 * Parses a text in which `|` stands for the cursor. Returns what completion expects there, and the text it would
 * replace.
 */
function at(text: string) {
  const [before = '', after = ''] = text.split('|')
  const { kind, metric, label, text: typed, start, end } = wantedAt(before + after, before.length)
  return { kind, metric, label, typed, replaced: (before + after).slice(start, end) }
}

test('completion knows what can stand at the cursor', () => {
  expect(at('rat|')).toMatchObject({ kind: 'expression', typed: 'rat', replaced: 'rat' })
  expect(at('sum(|')).toMatchObject({ kind: 'expression', typed: '' })
  expect(at('up{jo|b="x"}')).toMatchObject({ kind: 'labels', metric: 'up', typed: 'jo', replaced: 'job' })
  expect(at('up{job="a|pi"}')).toMatchObject({
    kind: 'values',
    metric: 'up',
    label: 'job',
    typed: 'a',
    replaced: 'api',
  })
  expect(at('up{job="|')).toMatchObject({ kind: 'values', label: 'job', typed: '', replaced: '' })
  expect(at('sum by (|')).toMatchObject({ kind: 'labels', metric: undefined })
  expect(at('sum(rate(up[5m])) by (j|)')).toMatchObject({ kind: 'labels', metric: 'up', typed: 'j' })
  expect(at('up{job="x"} + do|')).toMatchObject({ kind: 'expression', typed: 'do' })
  expect(at('up[5|m]')).toMatchObject({ kind: 'nothing' })
  expect(at('up # no|')).toMatchObject({ kind: 'nothing' })
})

test('colours tell functions, keywords, labels, values and numbers apart', () => {
  const text = 'sum by (job) (rate(up{job="a"}[5m])) > bool 1.5e3 # why'
  const words = coloursOf(text).map(({ start, end, kind }) => `${text.slice(start, end)}:${kind}`)
  expect(words.filter((word) => !word.endsWith(':operator'))).toEqual([
    'sum:function',
    'by:keyword',
    'job:property',
    'rate:function',
    'job:property',
    '"a":string',
    '5m:number',
    'bool:keyword',
    '1.5e3:number',
    '# why:comment',
  ])
})

test('any text has colours in order, and completion at every offset', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 40 }), (text) => {
      let end = 0
      for (const colour of coloursOf(text)) {
        expect(colour.start).toBeGreaterThanOrEqual(end)
        expect(colour.end).toBeGreaterThan(colour.start)
        end = colour.end
      }
      for (let offset = 0; offset <= text.length; offset++) {
        const { start, end: wantedEnd } = wantedAt(text, offset)
        if (start > wantedEnd || wantedEnd > text.length) expect.fail(`${text} at ${offset}`)
      }
    }),
    { numRuns: 50 },
  )
})

test('metrics are grouped into families with an expression to begin with', () => {
  const names = ['jobs_total', 'wait_bucket', 'wait_count', 'wait_sum', 'heat', 'lost_total', '__proto__']
  const metadata = {
    jobs: [{ type: 'counter', help: 'Jobs done.' }],
    wait: [{ type: 'histogram' }],
    heat: [{ type: 'gauge' }],
  }
  expect(metricsOf(names, metadata).map(({ name, expression }) => [name, expression])).toEqual([
    ['__proto__', '__proto__'],
    ['heat', 'heat'],
    ['jobs', 'rate(jobs_total[5m])'],
    ['lost_total', 'rate(lost_total[5m])'],
    ['wait', 'histogram_quantile(0.95, sum by (le) (rate(wait_bucket[5m])))'],
  ])
})

test('answers become series, rows and exemplars', () => {
  const times = timesOf(1000, 70_000, 30_000)
  expect(times).toEqual([30_000, 60_000])
  const metric = { __name__: 'up', job: 'a"b' }
  const matrix = {
    resultType: 'matrix',
    result: [
      {
        metric,
        values: [
          [60, '+Inf'],
          [30, '2'],
        ],
      },
    ],
  } as const
  expect(chartedSeries(matrix, 'up', 'A: ', times)).toEqual({
    series: [{ name: String.raw`A: up{job="a\"b"}`, values: [2, null] }],
    histograms: 0,
  })
  const two = ['a', 'b'].map((job) => ({ metric: { __name__: 'up', job, env: 'prod' }, values: [] }))
  const named = chartedSeries({ resultType: 'matrix', result: two }, 'up', '', times).series
  expect(named.map(({ name }) => name)).toEqual(['{job="a"}', '{job="b"}'])
  expect(labelsText({}, 'sum(up)')).toBe('sum(up)')
  expect(instantRows({ resultType: 'scalar', result: [1, '7'] })).toEqual([{ labels: {}, value: '7' }])
  const exemplars = [1, 3, 2].map((n) => ({ labels: { traceID: `t${n}` }, value: String(n), timestamp: n }))
  const nameless = { labels: {}, value: '9', timestamp: 9 }
  expect(exemplarsOf([{ seriesLabels: {}, exemplars: [...exemplars, nameless] }], 2)).toEqual([
    { timeMs: 2000, value: 2, trace: 't2' },
    { timeMs: 3000, value: 3, trace: 't3' },
  ])
})
