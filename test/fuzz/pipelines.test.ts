import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/base/index.ts'
import {
  generatePipeline,
  jsonLaws,
  pipelineBreaks,
  planOfPipeline,
  readPipelineCase,
  runPipelineFuzz,
} from '../../src/fuzz/index.ts'

const caseFolder = join(import.meta.dirname, 'pipeline-cases')
const cases = existsSync(caseFolder) ? readdirSync(caseFolder).filter((file) => file.endsWith('.json')) : []

test('200 random pipelines break no law', { timeout: 60_000 }, async () => {
  const report = await runPipelineFuzz({ runs: 200, seed: 9_000_000, maxFailures: 3 })
  expect(report.failures.map(({ law, seed, message }) => ({ law, seed, message }))).toEqual([])
  expect(report.cases).toBe(200)
  // Questions that find nothing, or that nobody answers, prove little.
  expect(report.emptyAnswers / report.cases).toBeLessThan(0.4)
  expect(report.refused / report.cases).toBeLessThan(0.03)
})

test('2000 random pipelines answer the same as their texts', { timeout: 180_000 }, async () => {
  const report = await runPipelineFuzz({ runs: 2000, seed: 9_500_000, maxFailures: 3, law: 'json-to-text' })
  expect(report.failures.map(({ law, seed, message }) => ({ law, seed, message }))).toEqual([])
  expect(report.cases).toBe(2000)
})

test('500 random pipelines are the same pipelines again through their texts', { timeout: 120_000 }, async () => {
  const report = await runPipelineFuzz({ runs: 500, seed: 9_700_000, maxFailures: 3, law: 'json-text-json' })
  expect(report.failures.map(({ law, seed, message }) => ({ law, seed, message }))).toEqual([])
  expect(report.cases).toBe(500)
})

describe('kept failures stay mended', () => {
  test.for(cases)('%s', async (file) => {
    const kept = readPipelineCase(readFileSync(join(caseFolder, file), 'utf8'))
    const law = jsonLaws.find((entry) => entry.law.name === kept.law)?.law
    expect(law, `the law ${kept.law}`).toBeDefined()
    if (law === undefined) return
    expect(() => planOfPipeline(kept.body)).not.toThrow()
    expect(await pipelineBreaks(law, kept, kept.seed)).toBeUndefined()
  })
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
  const broken = await pipelineBreaks(
    { name: 'no-rows', check: async ({ model }) => ('rows' in model && model.rows.length > 0 ? 'a row' : undefined) },
    { body: { limit: 1 }, rows: [{ timeNs: 1n, sequence: 0, row: new Map([['level', 'error']]) }] },
    2,
  )
  expect(broken).toBe('a row')
})
