import type { AskedView } from '../search/query-run.ts'

/** Maximum number of traces listed. A narrower query is more useful than further pages. */
export const MAX_TRACES = 200

/** Orders of the list. */
export const traceOrders = ['start', 'longest', 'spans', 'errors'] as const
export type TraceOrder = (typeof traceOrders)[number]

/** Languages in which traces can be searched. */
export const TRACE_LANGUAGES = ['native', 'logsql', 'traceql'] as const

/** URL state of a trace search. */
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

/** A trace in the list. */
export interface FoundTrace {
  readonly id: string
  /** Name and service of the root, or of the first span found. */
  readonly name: string
  readonly service: string
  readonly isRoot: boolean
  readonly start: string
  /** Duration of the root, or the longest duration of the spans found, ms. */
  readonly durationMs: number | undefined
  readonly spans: number
  readonly errors: number
  /** Number of spans of the trace that the query matched, with the ids of the first ones. */
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
