// @module-tag slow
import { describe, expect, test } from 'vitest'
import type { Backend } from '../../src/backends/index.ts'
import { foreignScopeFuzzer } from '../../src/fuzz/foreign/scopes.ts'
import { testbeds } from '../../src/fuzz/foreign/index.ts'
import { rewriteUp, type LogicalPlan } from '../../src/plan/index.ts'

/** The number of cases for each engine. For long runs use `npm run fuzz -- --only foreign-scope`. */
const RUNS = 100

function unguarded(plan: LogicalPlan): LogicalPlan {
  return rewriteUp(plan, (node) => (node.kind === 'scan' ? { ...node, guard: undefined } : node))
}

/** Wraps a backend so that its statements have no guards and the check for guards is skipped. */
function forgetful(backend: Backend): Backend {
  return {
    ...backend,
    prepare: (plan, { proveGuards: _, ...context }) => backend.prepare(unguarded(plan), context),
  }
}

/** Wraps a backend so that its statements have no guards but are still checked for them. */
function proved(backend: Backend): Backend {
  return { ...backend, prepare: (plan, context) => backend.prepare(unguarded(plan), context) }
}

for (const testbed of testbeds) {
  const missing = await foreignScopeFuzzer(testbed).missing()
  const title = `${testbed.name}${missing === undefined ? '' : ` (skipped: it ${missing})`}`
  describe.skipIf(missing !== undefined)(title, () => {
    test('shows nothing of the rows that policies hide', async () => {
      const { cases, failures, notes } = await foreignScopeFuzzer(testbed).run({
        seed: 1_000,
        runs: RUNS,
        maxFailures: 3,
      })
      expect(failures.map(({ shown, message }) => `${shown}: ${message}`)).toEqual([])
      expect(cases).toBe(RUNS)
      expect(notes.get('some rows hidden and some not')).toBeGreaterThan(RUNS / 2)
    })

    test.each([
      ['a guard that statements lack is found', forgetful],
      ['a statement without its guard is refused before it is sent', proved],
    ])('%s', async (_, plant) => {
      const options = { seed: 1_000, runs: RUNS, maxFailures: 1, shrinks: false }
      const { failures } = await foreignScopeFuzzer(testbed, plant).run(options)
      expect(failures).toHaveLength(1)
      const [message = ''] = failures.map((each) => each.message)
      if (plant === proved) expect(message).toMatch(/guard/)
      else expect(message).toMatch(/^(?:rows|batches|refusal) part/)
    })
  })
}
