import { describe, expect, test } from 'vitest'
import { scopeWays } from '../../src/cli/scope-ways.ts'
import { rowKinds, scopeFuzzer } from '../../src/fuzz/scope/index.ts'

describe('what is seen under a scope is what would be seen if nothing else were stored', () => {
  test.each([...rowKinds.map(({ name }) => name), 'metrics'])(
    '%s',
    async (name) => {
      const runs = name === 'logs' ? 40 : 30
      // The seed is near the end of a block of cases, so that the run covers two data sets and four policies.
      const report = await scopeFuzzer(scopeWays, [name]).run({ runs, seed: 4_000_380, maxFailures: 3 })
      expect(report.failures).toEqual([])
      expect(report.cases).toBe(runs)
      expect(report.uses.get(`kind/${name}`)).toBe(runs)
      expect(report.notes.get('5 to 95 % of the touched rows hidden')).toBeGreaterThan(runs * 0.4)
      expect(report.notes.get('refused') ?? 0).toBeLessThan(runs * 0.3)
    },
    120_000,
  )
})
