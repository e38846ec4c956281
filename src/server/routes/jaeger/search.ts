import { ENTRY_BYTES, MAX_NS, always, type Interval } from '../../../base/index.ts'
import { toText } from '../../../data/index.ts'
import type { StoredSpan } from '../../../ingest/otlp/stored/index.ts'
import { budgetOf } from '../../search/collect.ts'
import { spansFor, spansWhere } from '../../search/spans.ts'
import { tracesById } from '../../search/trace-ids.ts'
import { mayMeet, type SpanCriteria } from './conditions.ts'
import type { JaegerCall } from './define-jaeger-routes.ts'
import { byTrace, logFields, processTags, serviceOf, spanTags, type Tag } from './trace-json.ts'

/** A search for traces with a span that meets the criteria and starts in the range; newest traces first. */
export interface TraceSearch extends SpanCriteria {
  readonly range: Interval
  /** Maximum number of traces that the search returns. */
  readonly limit: number
}

function meets(span: StoredSpan, { service, operation, tags, minDurationNs, maxDurationNs }: SpanCriteria): boolean {
  if (service !== undefined && serviceOf(span) !== service) return false
  if (operation !== undefined && span.name !== operation) return false
  if (span.durationNs < (minDurationNs ?? 0n) || span.durationNs > (maxDurationNs ?? MAX_NS)) return false
  if (tags.length === 0) return true
  const all: readonly Tag[] = [...spanTags(span), ...processTags(span), ...span.events.flatMap(logFields)]
  return tags.every(([key, value]) => all.some((tag) => tag.key === key && toText(tag.value) === value))
}

/** Ids of the traces that a search finds. The scan stops once there are enough. */
async function foundTraces(call: JaegerCall, search: TraceSearch): Promise<readonly string[]> {
  const budget = budgetOf(call)
  const ids = new Map<string, string>()
  for await (const span of spansFor(call).read(spansWhere(mayMeet(search)), search.range)) {
    budget.checkpoint()
    const digits = span.traceId.replace(/^0+/, '')
    if (ids.has(digits) || !meets(span, search)) continue
    budget.charge(ENTRY_BYTES)
    ids.set(digits, span.traceId)
    if (ids.size >= search.limit) break
  }
  return [...ids.values()]
}

/** Returns all spans of some traces, grouped in the order of the ids, each group sorted by start. */
export async function tracesOf(
  call: JaegerCall,
  ids: readonly string[],
  range: Interval = always,
): Promise<readonly (readonly StoredSpan[])[]> {
  if (ids.length === 0) return []
  const order = new Map(ids.map((id, i) => [id.toLowerCase().replace(/^0+/, ''), i] as const))
  const rankOf = ([first]: readonly StoredSpan[]): number => order.get(first?.traceId.replace(/^0+/, '') ?? '') ?? 0
  const traces = byTrace(await spansFor(call).collect(spansWhere(tracesById(ids)), range))
  return traces.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Returns the traces that a search finds, newest first, with all their spans. */
export async function searchTraces(call: JaegerCall, search: TraceSearch): Promise<readonly (readonly StoredSpan[])[]> {
  return tracesOf(call, await foundTraces(call, search))
}
