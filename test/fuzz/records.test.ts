import { expect, test } from 'vitest'
import { records } from '../../src/fuzz/records/index.ts'

test('records are the same rows by their templates as by the general reader', async () => {
  const report = await records.run({ runs: 150, seed: 7_000_000, maxFailures: 3 })
  expect(report.failures.map(({ message }) => message)).toEqual([])
  expect(report.cases).toBe(150)
})
