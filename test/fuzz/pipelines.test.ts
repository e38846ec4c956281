import { expect, test } from 'vitest'
import { seededRandom } from '../../src/base/index.ts'
import { generatePipeline } from '../../src/fuzz/pipeline/pipeline.ts'
import { pipelineDefinition, pipelines } from '../../src/fuzz/pipeline/pipelines.ts'
import { lawBreaks } from '../../src/fuzz/runner/index.ts'

test('40 random pipelines break no law', async () => {
  const report = await pipelines.run({ runs: 40, seed: 9_000_000, maxFailures: 3 })
  expect(report.failures).toEqual([])
  expect(report.cases).toBe(40)
  // Most queries must find rows and succeed for the run to be meaningful.
  expect((report.notes.get('empty') ?? 0) / report.cases).toBeLessThan(0.4)
  expect((report.notes.get('refused') ?? 0) / report.cases).toBeLessThan(0.03)
})

test.each([
  ['json-to-text', 100, 9_500_000],
  ['json-text-json', 50, 9_700_000],
  ['json-parameters-are-values', 40, 9_800_000],
])('%s over %i random pipelines', async (law, runs, seed) => {
  const report = await pipelines.run({ runs, seed, maxFailures: 3, law })
  expect(report.failures).toEqual([])
  expect(report.cases).toBe(runs)
})

test('every member of a pipeline stands in at least one of 200', () => {
  const uses = new Map<string, number>()
  const total = 4000
  for (let seed = 0; seed < total; seed++) {
    for (const use of generatePipeline(seededRandom(seed)).uses) uses.set(use, (uses.get(use) ?? 0) + 1)
  }
  expect([...uses].filter(([, count]) => count < total / 200)).toEqual([])
  const wanted = [
    'from union domain timeOffset filters sample groupBy groupBy/alias having except orderBy limitBy limit offset',
    'mathExpression math/args math/left-right math/drops-others join/inner join/left join/right join/full join/cross',
    'join/several-conditions join/other-column transform/json_unpack transform/datetime_extract selector/windowSpec',
    'selector/conditionFilter selector/toStartOfInterval filter/nested-group filter/disabled-group filter/freetext',
  ].flatMap((names) => names.split(' '))
  expect(wanted.filter((name) => !uses.has(name))).toEqual([])
})

test('a law that is broken is found', async () => {
  const rows = [{ timeNs: 1n, sequence: 0, row: new Map([['level', 'error']]) }]
  const check = ({ model }: { readonly model: object }) =>
    'rows' in model && JSON.stringify(model.rows) !== '[]' ? 'a row' : undefined
  expect(await lawBreaks(pipelineDefinition, { name: 'no-rows', check }, { body: { limit: 1 }, rows }, 2)).toBe('a row')
})
