import { betweenTurns, runWithBudget, type Interval } from '../../base/index.ts'
import type { SpanExpr } from '../../lang/traceql/index.ts'
import { columnsOfTraces, fieldsIn } from './columns.ts'
import type { Trace } from './model.ts'
import { spanSets, type SpanSet } from './pipeline.ts'
import { prefilterOf } from './prefilter.ts'
import { newestSpans, readTraces, type ReadTrace, type SpanReading } from './read-spans.ts'

/**
 * Spans are looked at so far beyond a range, in ns: half an hour. A trace belongs to a range that it overlaps, and the
 * span that a query finds may start outside of it.
 */
const MARGIN_NS = 1_800_000_000_000n

/** Spans that are looked at for ids of traces in one step. A trace of services has some ten of them. */
const PAGE_SPANS = 2_000

/** Traces that are read together, at least: few reads for a search that finds little in each. */
const MIN_TRACES = 50
/** Traces that are read together, at most: they are in memory at one time. */
const MAX_TRACES = 2_000

/** A trace with the span sets that a query finds in it. */
export interface FoundTrace {
  readonly trace: Trace
  readonly sets: readonly SpanSet[]
}

export interface TraceSearch {
  readonly spans: SpanExpr
  /** Traces are found that have spans in it: between the first start and the last end. */
  readonly range: Interval
  /** Traces that are wanted; those with the newest spans that the query could find. */
  readonly limit: number
}

export function widened({ startNs, endNs }: Interval): Interval {
  return { startNs: startNs - MARGIN_NS, endNs: endNs + MARGIN_NS }
}

function overlaps({ startNs, endNs }: Trace, range: Interval): boolean {
  return startNs < range.endNs && endNs >= range.startNs
}

/** Yields ids of traces that may fulfil a query, those with the newest spans first. */
async function* candidates(reading: SpanReading, spans: SpanExpr, range: Interval): AsyncGenerator<readonly string[]> {
  const predicate = prefilterOf(spans)
  const seen = new Set<string>()
  let { endNs } = range
  let limit = PAGE_SPANS
  for (;;) {
    const page = await newestSpans(reading, predicate, { startNs: range.startNs, endNs }, limit, seen)
    const { traceIds, oldestNs } = page
    if (traceIds.length > 0) yield traceIds
    if (oldestNs === undefined) return
    // Spans of the same time may have been left out.
    if (oldestNs + 1n < endNs) endNs = oldestNs + 1n
    else limit *= 2
  }
}

/**
 * Yields whole traces that may fulfil a query and that a range touches, with some columns of their rows, or all. The
 * bytes of a trace are charged until the next one, or for good if the receiver keeps it.
 */
async function* tracesOf(
  reading: SpanReading,
  { spans, range, limit }: TraceSearch,
  columns: readonly string[] | undefined,
): AsyncGenerator<ReadTrace> {
  const wide = widened(range)
  const chunk = Math.min(Math.max(limit, MIN_TRACES), MAX_TRACES)
  for await (const ids of candidates(reading, spans, wide))
    for (let i = 0; i < ids.length; i += chunk)
      for (const read of await readTraces(reading, ids.slice(i, i + chunk), widened(wide), columns)) {
        if (overlaps(read.trace, range)) yield read
        reading.budget.charge(-read.bytes)
      }
}

/**
 * Calls `take` with whole traces that may fulfil a query and that a range touches, under the limits of the query, until
 * it returns false. Only `columns` of their rows are read, or all. Other requests have their turn between them.
 */
export async function eachTrace(
  reading: SpanReading,
  search: TraceSearch,
  columns: readonly string[] | undefined,
  take: (read: ReadTrace) => boolean,
): Promise<void> {
  for await (const read of betweenTurns(tracesOf(reading, search, columns)))
    if (!runWithBudget(reading.budget, () => take(read))) return
}

/** Returns the traces that a query finds, with the latest start first. Throws a SluiceError. */
export async function searchTraces(reading: SpanReading, search: TraceSearch): Promise<readonly FoundTrace[]> {
  const evaluate = spanSets(search.spans)
  const found: FoundTrace[] = []
  await eachTrace(reading, search, columnsOfTraces(fieldsIn(search.spans)), (read) => {
    const { trace } = read
    const before = reading.budget.usedBytes
    const sets = evaluate(trace)
    if (sets.length === 0) {
      reading.budget.charge(before - reading.budget.usedBytes)
      return true
    }
    read.bytes = 0
    found.push({ trace, sets })
    return found.length < search.limit
  })
  return found.toSorted(({ trace: a }, { trace: b }) => (a.startNs < b.startNs ? 1 : a.startNs > b.startNs ? -1 : 0))
}
