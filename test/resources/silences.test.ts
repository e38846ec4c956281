import { expect, test } from 'vitest'
import { isActive } from '../../src/resources/silences/active.ts'

test('a silence holds from its start, up to and without its end, beyond what milliseconds can tell', () => {
  const body = { startsAt: '2026-01-01T00:00:00.000000001Z', endsAt: '2026-01-01T00:00:00.000000003Z' }
  const startNs = 1_767_225_600_000_000_000n
  expect([0n, 1n, 2n, 3n].map((ns) => isActive(body, startNs + ns))).toEqual([false, true, true, false])
})
