// @module-tag slow
import { expect, test } from 'vitest'
import { seededRandom } from '../../src/base/index.ts'
import { allFilters } from '../../src/fuzz/filters.ts'
import { generateQuery } from '../../src/fuzz/log-query.ts'
import { allPipes, statsGenerators } from '../../src/fuzz/pipes.ts'
import { textDefinition, texts } from '../../src/fuzz/texts.ts'
import { lawBreaks } from '../../src/fuzz/runner/index.ts'

test('400 random cases break no law', async () => {
  const report = await texts.run({ runs: 400, seed: 7_000_000, maxFailures: 3 })
  expect(report.failures).toEqual([])
  expect(report.cases).toBe(400)
  const refused = report.notes.get('refused') ?? 0
  // Questions that find nothing prove little.
  expect((report.notes.get('empty') ?? 0) / (report.cases - refused)).toBeLessThan(0.45)
  expect(refused / report.cases).toBeLessThan(0.15)
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

test('a law that is broken is found', async () => {
  const law = {
    name: 'no-errors',
    check: ({ model }: { readonly model: object }) =>
      'rows' in model && JSON.stringify(model.rows).includes('error') ? 'an error' : undefined,
  }
  const rows = [{ timeNs: 1n, sequence: 0, row: new Map([['level', 'error']]) }]
  expect(await lawBreaks(textDefinition(), law, { filter: 'level:error', pipes: [], rows })).toBe('an error')
  expect(await lawBreaks(textDefinition(), law, { filter: 'level:warn', pipes: [], rows })).toBeUndefined()
})
