// @module-tag slow
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mistakes } from '../lang/log/mistakes/index.ts'
import { runOn, type Ran } from './terminal.ts'

const fixture = join(import.meta.dirname, '../../fixtures/logs/payments-pool-exhausted.ndjson')

/** Runs the command line with a stopped clock. Otherwise a busy machine could exceed the time limit for advice. */
const run = (...argv: readonly string[]): Promise<Ran> => runOn({ nowMs: () => 0 }, ...argv)

/** True if the message ends with a suggested fix. */
const hasFix = (error: string): boolean => /fix: /.test(error)

describe('mistakes of newcomers on the command line', () => {
  test.each(mistakes)('$kind: $query', async ({ query }) => {
    const { code, error } = await run('query', query, fixture)
    expect(code === 0 || code === 1).toBe(true)
    expect(hasFix(error), error).toBe(true)
  })

  test('a correct query prints no advice', async () => {
    const { error } = await run('query', 'level:error version:"" | stats by (workload) count() as n', fixture)
    expect(error).toBe('')
  })

  test('names of standard input are known by its rows', async () => {
    const { error } = await run('query', 'versoin:*', fixture, '--backend', 'sqlite')
    expect(error).toContain('Nearest: `version` (2 rows)')
  })
})
