import { expect, test } from 'vitest'
import { fieldLimitFuzzer } from '../../src/fuzz/scope/index.ts'

test('scopes over fields beyond the limit of a table find what the row model finds', async () => {
  const report = await fieldLimitFuzzer().run({ runs: 100, seed: 4_000_000, maxFailures: 3 })
  expect(report.failures).toEqual([])
  expect(report.cases).toBe(100)
})
