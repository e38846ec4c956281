// @module-tag slow
import { expect, test } from 'vitest'
import { knownDifferences, promql } from '../../src/fuzz/promql/index.ts'
import { aggregationSignatures, seriesSignatures } from '../../src/plan/index.ts'

test('random expressions keep every law', async () => {
  const report = await promql.run({ seed: 1, runs: 1200, maxFailures: 3 })
  expect(report.failures).toEqual([])
  expect(report.cases).toBe(1200)
  expect(report.notes.has('without the second reader')).toBe(false)
  expect(report.notes.get('refused')).toBeLessThan(report.cases * 0.1)
  expect(report.notes.get('empty')).toBeLessThan(report.cases * 0.5)
  const known = [...seriesSignatures.values()].filter(({ returns }) => returns === 'vector')
  const names = [...known, ...aggregationSignatures.values()].map(({ name }) => name)
  const used = names.filter((name) => report.uses.has(name))
  expect(used.length).toBeGreaterThan(names.length * 0.95)
})

test('the same seeds give the same cases', async () => {
  const once = await promql.run({ seed: 700, runs: 60, maxFailures: 1 })
  const twice = await promql.run({ seed: 700, runs: 60, maxFailures: 1 })
  expect(twice).toEqual(once)
  expect(knownDifferences.length).toBeLessThanOrEqual(8)
})
