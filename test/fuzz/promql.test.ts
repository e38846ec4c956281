import { expect, test } from 'vitest'
import { knownDifferences, promql } from '../../src/fuzz/promql/index.ts'

test('random expressions keep every law', async () => {
  const report = await promql.run({ seed: 1, runs: 40, maxFailures: 3 })
  expect(report.failures).toEqual([])
  expect(report.cases).toBe(40)
  expect(report.notes.has('without the second reader')).toBe(false)
  expect(report.notes.get('refused')).toBeLessThan(report.cases * 0.1)
  expect(report.notes.get('empty')).toBeLessThan(report.cases * 0.5)
})

test('the same seeds give the same cases', { tags: ['slow'] }, async () => {
  const once = await promql.run({ seed: 700, runs: 8, maxFailures: 1 })
  const twice = await promql.run({ seed: 700, runs: 8, maxFailures: 1 })
  expect(twice).toEqual(once)
  expect(knownDifferences.length).toBeLessThanOrEqual(8)
})
