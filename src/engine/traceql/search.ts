import { betweenTurns, runWithBudget, type Interval } from '../../base/index.ts'
import type { SpanExpr } from '../../lang/traceql/index.ts'
import { columnsOfTraces, fieldsIn } from './columns.ts'
import type { Trace } from './model.ts'
import { spanSets, type SpanSet } from './pipeline.ts'
import { prefilterOf } from './prefilter.ts'
import { newestSpans, readTraces, type ReadTrace, type SpanAccess } from './read-spans.ts'

/**
 * Time by which the range is widened to find spans, ns: half an hour. A trace that overlaps the range is a result, even
 * if the span that matches the query starts outside the range.
 */
const MARGIN_NS = 1_800_000_000_000n

/** Number of spans read in one step to find trace ids. A typical trace has about ten spans. */
const PAGE_SPANS = 2_000

/** Minimum number of traces that are read together. A search with few results thus needs few reads. */
const MIN_TRACES = 50
/** Maximum number of traces that are read together, because all of them are in memory at the same time. */
const MAX_TRACES = 2_000

/** A trace with the span sets that a query found in it. */
export interface FoundTrace {
  readonly trace: Trace
  readonly sets: readonly SpanSet[]
}

export interface TraceSearch {
  readonly spans: SpanExpr
  /** Time range that a trace must overlap. A trace extends from its first start to its last end. */
  readonly range: Interval
  /** Maximum number of traces. Traces with the newest spans that may match are searched first. */
  readonly limit: number
}

export function widened({ startNs, endNs }: Interval): Interval {
  return { startNs: startNs - MARGIN_NS, endNs: endNs + MARGIN_NS }
}

function overlaps({ startNs, endNs }: Trace, range: Interval): boolean {
  return startNs < range.endNs && endNs >= range.startNs
}

/** Yields the ids of traces that may match a query. Traces with the newest spans come first. */
async function* candidates(access: SpanAccess, spans: SpanExpr, range: Interval): AsyncGenerator<readonly string[]> {
  const predicate = prefilterOf(spans)
  const seen = new Set<string>()
  let { endNs } = range
  let limit = PAGE_SPANS
  for (;;) {
    const page = await newestSpans(access, predicate, { startNs: range.startNs, endNs }, limit, seen)
    const { traceIds, oldestNs } = page
    if (traceIds.length > 0) yield traceIds
    if (oldestNs === undefined) return
    // More spans may have the same start time, so the next page includes this time again.
    if (oldestNs + 1n < endNs) endNs = oldestNs + 1n
    else limit *= 2
  }
}

/**
 * Yields complete traces that may match a query and that overlap a range, with some or all columns. The memory of a
 * trace is charged until the next trace is read, or permanently if the receiver keeps the trace.
 */
async function* tracesOf(
  access: SpanAccess,
  { spans, range, limit }: TraceSearch,
  columns: readonly string[] | undefined,
): AsyncGenerator<ReadTrace> {
  const wide = widened(range)
  const chunk = Math.min(Math.max(limit, MIN_TRACES), MAX_TRACES)
  for await (const ids of candidates(access, spans, wide))
    for (let i = 0; i < ids.length; i += chunk)
      for (const read of await readTraces(access, ids.slice(i, i + chunk), widened(wide), columns)) {
        if (overlaps(read.trace, range)) yield read
        access.budget.charge(-read.bytes)
      }
}

/**
 * Calls `take` with complete traces that may match a query and that overlap a range, until `take` returns false. Reads
 * only `columns`, if given. Respects the limits of the query, and yields to the event loop between traces.
 */
export async function eachTrace(
  access: SpanAccess,
  search: TraceSearch,
  columns: readonly string[] | undefined,
  take: (read: ReadTrace) => boolean,
): Promise<void> {
  for await (const read of betweenTurns(tracesOf(access, search, columns)))
    if (!runWithBudget(access.budget, () => take(read))) return
}

/** Returns the traces that match a query, latest start first. Throws SluiceError. */
export async function searchTraces(access: SpanAccess, search: TraceSearch): Promise<readonly FoundTrace[]> {
  const evaluate = spanSets(search.spans)
  const found: FoundTrace[] = []
  await eachTrace(access, search, columnsOfTraces(fieldsIn(search.spans)), (read) => {
    const { trace } = read
    const before = access.budget.usedBytes
    const sets = evaluate(trace)
    if (sets.length === 0) {
      access.budget.charge(before - access.budget.usedBytes)
      return true
    }
    read.bytes = 0
    found.push({ trace, sets })
    return found.length < search.limit
  })
  return found.toSorted(({ trace: a }, { trace: b }) => (a.startNs < b.startNs ? 1 : a.startNs > b.startNs ? -1 : 0))
}
