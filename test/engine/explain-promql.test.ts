import { expect, test } from 'vitest'
import { Budget } from '../../src/base/index.ts'
import { Labels } from '../../src/data/index.ts'
import { printExplainTree } from '../../src/engine/index.ts'
import { analyzePromql, explainPromql, type PromqlOptions } from '../../src/engine/metrics/index.ts'
import { SampleStore, type SampleSource } from '../../src/store/index.ts'

const store = new SampleStore()
for (const zone of ['eu', 'us', 'ap']) {
  for (const name of ['hits_total', 'errors_total']) {
    const labels = Labels.of({ __name__: name, zone })
    for (let i = 0; i < 40; i++) store.writer.append(labels, { timeMs: i * 15_000, value: i })
  }
}

let reads = 0
const counting: SampleSource = {
  select: (request) => {
    reads++
    return store.reader.select(request)
  },
  series: (request) => store.reader.series(request),
}

function options(more: Partial<PromqlOptions> = {}): PromqlOptions {
  const limits = { memoryBytes: 2 ** 30, timeoutMs: 1000, scanRows: Infinity }
  return { source: counting, budget: new Budget(limits, () => 0), ...more }
}

/** Removes times, which differ from run to run. */
function shown(text: string): string {
  return text.replaceAll(/(?<=\(\d+ rows), [^,)]+/g, '')
}

test('a plan as text, with its steps', () => {
  const { tree, steps } = explainPromql('errors_total{zone=~"eu"} / hits_total > 2 * 0', options())
  expect(printExplainTree(tree)).toBe(
    [
      'binary >  [columnar]',
      '  binary / one-to-one ignoring ()  [columnar]',
      '    select samples{__name__="errors_total", zone="eu"}  [columnar]',
      '    select samples{__name__="hits_total", zone="eu"}  [columnar]',
      '  number 0  [columnar]',
    ].join('\n'),
  )
  expect(steps.split('\n').filter((line) => !line.startsWith(' ') && line !== '')).toEqual([
    'as written',
    'fold-scalars, pass 1: Work out arithmetic between numbers',
    expect.stringMatching(/^push-matchers, pass 1/),
    expect.stringMatching(/^tidy-matchers, pass 1/),
  ])
})

test('shows the series, samples, shared reads and steps of a run', async () => {
  reads = 0
  const text = 'sum(rate(hits_total[2m])) + sum(rate(hits_total[1m])) + max(hits_total @ 60)'
  const { tree, result } = await analyzePromql(text, { startMs: 300_000, endMs: 540_000, stepMs: 60_000 }, options())
  expect(result.answer).toMatchObject({ type: 'matrix', series: [{ timesMs: { length: 5 } }] })
  const lines = shown(printExplainTree(tree)).split('\n')
  expect(lines.filter((line) => line.includes('select samples') || line.includes('aggregate max'))).toEqual([
    '          select samples{__name__="hits_total"}  [columnar]  (3 rows, seriesMatched 3, samplesRead 72)',
    '          select samples{__name__="hits_total"}  [columnar]  (3 rows, seriesMatched 3, samplesRead 0, sharedReads 1)',
    '  aggregate max by ()  [columnar]  (1 rows)',
    '    select samples{__name__="hits_total"} @ 60000ms  [columnar]  (3 rows, seriesMatched 3, samplesRead 15)',
  ])
  expect(lines.filter((line) => line.includes('every step'))).toHaveLength(1)
  expect(lines.filter((line) => line.includes('read once for 3 equal selectors'))).toHaveLength(3)
  expect(reads).toBe(2)
})

test('nothing is shared when rules are off', async () => {
  reads = 0
  const off = options({ optimizer: { disabled: ['*'] } })
  await analyzePromql('hits_total + hits_total', { startMs: 60_000, endMs: 60_000, stepMs: 0 }, off)
  expect(reads).toBe(2)
  await analyzePromql('hits_total + hits_total', { startMs: 60_000, endMs: 60_000, stepMs: 0 }, options())
  expect(reads).toBe(3)
})
