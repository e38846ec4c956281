import { expect, test } from 'vitest'
import { EMPTY_HISTOGRAM, Labels } from '../../src/data/index.ts'
import {
  descriptionLine,
  exemplarsLine,
  metricLines,
  parseMetricLines,
  storeMetrics,
} from '../../src/ingest/metrics/index.ts'
import { SampleStore } from '../../src/store/index.ts'
import { EVERYTHING, linesOf, manyKinds } from '../store/sample-files/file-of.ts'

const NOW = { defaultTimeMs: 0 }

function shown(store: SampleStore): readonly unknown[] {
  return store.reader.select(EVERYTHING).map((series) => [series.labels.key, linesOf(series)])
}

test('samples of every kind come back to the bit', () => {
  const store = manyKinds(2500)
  const labels = Labels.of({ __name__: 'odd', __proto__name: '"\\\n\ud800 ', ['__proto__']: 'p' })
  const buckets = { indexes: [-1074, 0, 9], counts: [0.1, NaN, 1e300] }
  const histogram = {
    ...EMPTY_HISTOGRAM,
    sum: -0,
    count: Infinity,
    zeroThreshold: 5e-324,
    zeroCount: 2,
    negative: buckets,
  }
  store.writer.append(labels, { timeMs: -5, value: 0, histogram: { ...histogram, hint: 'gauge' } })
  store.writer.append(labels, {
    timeMs: 7,
    value: 0,
    histogram: { ...histogram, schema: -53, bounds: [-1, 2.5], negative: buckets },
  })
  let text = ''
  for (const { labels, ...samples } of store.reader.select(EVERYTHING))
    for (const line of metricLines(labels, samples)) {
      expect(line.length).toBeLessThan(1_000_000)
      text += line
    }
  const { samples, bad } = parseMetricLines(text, NOW)
  expect(bad).toEqual([])
  const read = new SampleStore()
  storeMetrics(read, samples)
  expect(shown(read)).toEqual(shown(store))
})

test('exemplars and metric descriptions are read back', () => {
  const labels = Labels.of({ __name__: 'up' })
  const exemplar = { labels: Labels.of({ trace_id: '1' }), value: NaN, timeMs: 12 }
  const told = { name: 'up', type: 'gauge', help: 'whether\nit is', unit: '' }
  const { exemplars, metadata, bad } = parseMetricLines(exemplarsLine(labels, [exemplar]) + descriptionLine(told), NOW)
  expect(bad).toEqual([])
  expect(exemplars).toEqual([{ series: labels, ...exemplar }])
  expect(metadata).toEqual([told])
})

test.each([
  ['{"metric":{},"values":[1],"timestamps":[]}', '`timestamps` must be as long as `values`'],
  ['{"metric":{},"values":[1],"timestamps":[1],"histograms":[]}', '`histograms` must be as long as `values`'],
  ['{"metric":{},"values":[1],"timestamps":[1],"histograms":[7]}', 'a histogram must be an object'],
  [
    '{"metric":{},"values":[1],"timestamps":[1],"histograms":[{"schema":9}]}',
    'a histogram has a schema from -4 to 8, or -53',
  ],
  [
    '{"metric":{},"values":[1],"timestamps":[1],"histograms":[{"schema":1,"hint":"no"}]}',
    'the hint of a histogram is one of unknown, reset, not-reset, gauge',
  ],
  [
    '{"metric":{},"values":[1],"timestamps":[1],"histograms":[{"schema":1,"count":1,"sum":1,"positive":[[2,1],[1,1]]}]}',
    'buckets must be a list of `[index, count]`, by ascending index',
  ],
  ['{"metric":{},"values":[1],"timestamps":[1],"stale":1}', '`stale` must be a list of places'],
  ['{"metric":{},"values":[1],"timestamps":[1.0e300]}', 'a time must be a number in range'],
  ['{"metric":{},"exemplars":[1]}', 'an exemplar must be an object'],
  ['{"metric":{},"exemplars":{}}', '`exemplars` must be a list'],
  ['{"metadata":{"help":"of nothing"}}', '`metadata` must have a name, and texts'],
  ['{"__name__":"up","value":1}', '`metric` must be an object of labels'],
  ['['.repeat(100_000), 'the line is not JSON'],
])('%s is refused', (line, reason) => {
  const good = '{"metric":{"__name__":"up"},"value":1}'
  const { samples, bad } = parseMetricLines(`${line}\n${good}`, NOW)
  expect(bad).toEqual([{ position: 1, reason }])
  expect(samples).toHaveLength(1)
})
