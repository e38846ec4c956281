import { describe, expect, test } from 'vitest'
import { labelScopes } from '../../src/cli/commands/fuzz-scope.ts'
import { scopeEndpoints } from '../../src/cli/scope-endpoints.ts'
import { rowKinds, runScopeFuzz } from '../../src/fuzz/scope/index.ts'

const kinds = [...rowKinds, 'metrics'] as const

describe('what is seen under a scope is what would be seen if nothing else were stored', () => {
  test.each(kinds.map((kind) => [kind === 'metrics' ? kind : kind.name, kind] as const))(
    '%s',
    async (name, kind) => {
      const runs = name === 'logs' ? 80 : 40
      // Around the end of a block of cases, so that there are two data sets and four policies.
      const report = await runScopeFuzz({
        kind,
        runs,
        seed: 4_000_380,
        maxFailures: 3,
        labelScopes,
        endpoints: scopeEndpoints,
      })
      expect(report.failures).toEqual([])
      expect(report.cases).toBe(runs)
      expect(report.mixed).toBeGreaterThan(runs * 0.4)
      expect(report.refused).toBeLessThan(runs * 0.3)
    },
    120_000,
  )
})
