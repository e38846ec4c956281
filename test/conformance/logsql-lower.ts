import type { ValueTest } from '../../src/data/index.ts'
import { lowerFilter, type Filter } from '../../src/lang/log/index.ts'

const CONTEXT = { dialect: 'logsql', nowNs: 0n, table: 'logs' } as const

/** True if lowering the filter yields `false`, so that no row can match it. */
export function isNothing(filter: Filter): boolean {
  const expr = lowerFilter(filter, CONTEXT)
  return expr.kind === 'literal' && expr.value === false
}

/** Returns the test that a filter on a single value lowers to. Throws if it lowers to anything else. */
export function lowerFilterTest(filter: Filter): ValueTest {
  const expr = lowerFilter(filter, CONTEXT)
  if (expr.kind === 'test') return expr.test
  if (expr.kind === 'field-filter' && expr.request.kind === 'test') return expr.request.test
  throw new Error(`${filter.kind} lowers to ${expr.kind}`)
}
