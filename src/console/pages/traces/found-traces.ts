import type { AskedView } from '../search/query-run.ts'

/** Traces that are listed; the next condition finds better ones than the next page. */
export const MAX_TRACES = 200

/** Orders of the list. */
export const traceOrders = ['start', 'longest', 'spans', 'errors'] as const
export type TraceOrder = (typeof traceOrders)[number]

/** Languages in which traces are searched. */
export const TRACE_LANGUAGES = ['native', 'logsql', 'traceql'] as const

/** The part of a link that a search for traces has. */
export interface TraceView extends AskedView {
  readonly order: TraceOrder
}

export function traceViewOf(params: ReadonlyMap<string, string>): Omit<TraceView, 'dialect'> {
  return {
    domain: 'traces',
    query: params.get('q') ?? '',
    from: params.get('from') ?? 'now-1h',
    to: params.get('to') ?? 'now',
    order: traceOrders.find((order) => order === params.get('sort')) ?? 'start',
  }
}

/** A trace of the list. */
export interface FoundTrace {
  readonly id: string
  /** Name and service of the root, or of the first span that was found. */
  readonly name: string
  readonly service: string
  readonly isRoot: boolean
  readonly start: string
  /** Duration of the root, or the longest one of those that were found, in milliseconds. */
  readonly durationMs: number | undefined
  readonly spans: number
  readonly errors: number
  /** The spans that a query has selected among all of the trace, of which the first have their ids here. */
  readonly matched?: { readonly count: number; readonly ids: readonly string[] }
}

export interface FoundTraces {
  readonly traces: readonly FoundTrace[]
  readonly isCut: boolean
  readonly elapsedMs: number
}

const comparisons: Readonly<Record<TraceOrder, (a: FoundTrace, b: FoundTrace) => number>> = {
  start: (a, b) => (a.start < b.start ? 1 : a.start > b.start ? -1 : 0),
  longest: (a, b) => (b.durationMs ?? 0) - (a.durationMs ?? 0),
  spans: (a, b) => b.spans - a.spans,
  errors: (a, b) => b.errors - a.errors,
}

export function sortedTraces(traces: readonly FoundTrace[], order: TraceOrder): readonly FoundTrace[] {
  return traces.toSorted(comparisons[order])
}
