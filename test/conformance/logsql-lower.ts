import type { ValueTest } from '../../src/data/index.ts'
import { lowerFilter, type Filter } from '../../src/lang/log/index.ts'

/** The closed test that a filter on one value lowers to. */
export function lowerFilterTest(filter: Filter): ValueTest {
  const expr = lowerFilter(filter, { dialect: 'logsql', nowNs: 0n, table: 'logs' })
  if (expr.kind === 'test') return expr.test
  if (expr.kind === 'field-filter' && expr.request.kind === 'test') return expr.request.test
  throw new Error(`${filter.kind} lowers to ${expr.kind}`)
}
