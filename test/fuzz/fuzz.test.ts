import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/base/index.ts'
import {
  breaks,
  allFilters,
  generateQuery,
  oracles,
  allPipes,
  readCase,
  runFuzz,
  statsGenerators,
} from '../../src/fuzz/index.ts'

const caseFolder = join(import.meta.dirname, 'cases')
const cases = existsSync(caseFolder) ? readdirSync(caseFolder).filter((file) => file.endsWith('.json')) : []

test('400 random cases break no law', async () => {
  const report = await runFuzz({ runs: 400, seed: 7_000_000, maxFailures: 3 })
  expect(report.failures.map(({ oracle, seed, message }) => ({ oracle, seed, message }))).toEqual([])
  expect(report.cases).toBe(400)
  // Questions that find nothing prove little.
  expect(report.emptyAnswers / (report.cases - report.refused)).toBeLessThan(0.45)
  expect(report.refused / report.cases).toBeLessThan(0.15)
})

describe('kept failures stay mended', () => {
  test.for(cases)('%s', async (file) => {
    const kept = readCase(readFileSync(join(caseFolder, file), 'utf8'))
    const oracle = oracles.find((entry) => entry.oracle.name === kept.oracle)?.oracle
    expect(oracle, `the law ${kept.oracle}`).toBeDefined()
    if (oracle !== undefined) expect(await breaks(oracle, kept, 1)).toBeUndefined()
  })
})

test('every pipe, filter and function of the vocabulary stands in at least one of 200 cases', () => {
  const uses = new Map<string, number>()
  const total = 6000
  for (let seed = 0; seed < total; seed++) {
    for (const use of generateQuery(seededRandom(seed)).uses) uses.set(use, (uses.get(use) ?? 0) + 1)
  }
  const wanted = [
    ...allFilters.map(({ name }) => `filter/${name}`),
    ...allPipes.map(({ name }) => `pipe/${name}`),
    ...statsGenerators.map(({ name }) => `stats/${name}`),
  ]
  expect(wanted.filter((name) => (uses.get(name) ?? 0) < total / 200)).toEqual([])
})

test('a law that is broken is found and shrunk', async () => {
  const broken = await breaks(
    {
      name: 'no-errors',
      check: async ({ model }) =>
        'rows' in model && model.rows.some((row) => row.includes('"error"')) ? 'an error' : undefined,
    },
    { filter: 'level:error', pipes: [], rows: [{ timeNs: 1n, sequence: 0, row: new Map([['level', 'error']]) }] },
    1,
  )
  expect(broken).toBe('an error')
})
