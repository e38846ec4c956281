import type { ValueTest } from '../../src/data/index.ts'
import { lowerFilter, type Filter } from '../../src/lang/log/index.ts'

const CONTEXT = { dialect: 'logsql', nowNs: 0n, table: 'logs' } as const

/** Whether no row can match the filter, as its text alone says. */
export function isNothing(filter: Filter): boolean {
  const expr = lowerFilter(filter, CONTEXT)
  return expr.kind === 'literal' && expr.value === false
}

/** The closed test that a filter on one value lowers to. */
export function lowerFilterTest(filter: Filter): ValueTest {
  const expr = lowerFilter(filter, CONTEXT)
  if (expr.kind === 'test') return expr.test
  if (expr.kind === 'field-filter' && expr.request.kind === 'test') return expr.request.test
  throw new Error(`${filter.kind} lowers to ${expr.kind}`)
}
