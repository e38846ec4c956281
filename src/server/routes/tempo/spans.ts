import type { SpanAccess } from '../../../engine/traceql/index.ts'
import { parseTraceqlOrThrow, type TraceqlExpr } from '../../../lang/traceql/index.ts'
import { budgetOf } from '../../search/collect.ts'
import { spansFor } from '../../search/spans.ts'
import type { TempoCall } from './define-tempo-routes.ts'

/** Reads spans for a query within the limits of the request. */
export function spanAccess(call: TempoCall): SpanAccess {
  const reader = spansFor(call)
  return { rows: { read: (plan, range) => reader.rows(plan, range) }, budget: budgetOf(call) }
}

export function parsedQuery(call: TempoCall, text: string): TraceqlExpr {
  call.caller.readsText('q', text)
  return parseTraceqlOrThrow(text, { gives: 'spans' })
}
