// @module-tag slow
import { describe, expect, test } from 'vitest'
import { foreignFuzzers } from '../../src/fuzz/foreign/index.ts'

/** The number of cases for each engine. For long runs use `npm run fuzz -- --only foreign`. */
const RUNS = 250

for (const fuzzer of foreignFuzzers) {
  const missing = await fuzzer.missing()
  describe.skipIf(missing !== undefined)(
    `${fuzzer.name}${missing === undefined ? '' : ` (skipped: it ${missing})`}`,
    () => {
      test('answers random questions over its tables as the row model does', async () => {
        const { cases, failures, notes } = await fuzzer.run({ seed: 1_000, runs: RUNS, maxFailures: 3 })
        expect(failures.map(({ shown, message }) => `${shown}: ${message}`)).toEqual([])
        expect(cases).toBe(RUNS)
        expect(notes.get('whole in the engine')).toBeGreaterThan(RUNS / 20)
        expect(notes.get('under policies')).toBeGreaterThan(RUNS / 10)
      })
    },
  )
}
