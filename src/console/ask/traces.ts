/** Requests about a single trace. Spans are listed in depth-first order: each is followed by its descendants. */

/** Properties and anomalies of a span, as bit flags. */
export const spanFlags = {
  error: 1,
  /** The span's parent is not among the spans. */
  orphan: 2,
  /** The span's ancestors form a cycle, which the tree cuts at this span. */
  cycle: 4,
  /** An earlier span has the same id. */
  duplicate: 8,
  /** The span begins before its parent or ends after it. */
  outside: 16,
  /** The span has no duration. */
  unfinished: 32,
  /** The span is on the critical path, which determines the duration of the trace. */
  critical: 64,
} as const

/** Maximum number of spans of a trace that are read. */
export const MAX_SPANS = 100_000

/** Fields needed for the tree and the span list. Other fields are read only for the selected span. */
export const TREE_FIELDS = [
  '_time',
  'span_id',
  'parent_span_id',
  'span_name',
  'workload',
  'status',
  'duration_seconds',
] as const

/** Number of series colours in the style sheet. */
export const COLOURS = 10

/** Returns the index of the colour for a service name. */
export function serviceColour(name: string): number {
  let hash = 0
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) >>> 0
  // Mixes in the high bits: the lowest bits of this hash hardly depend on the first letters.
  return ((hash ^ (hash >>> 15)) >>> 0) % COLOURS
}

/** A service of a trace. */
export interface TraceService {
  readonly name: string
  readonly spans: number
  /** Index of the service's colour, which depends only on the name. */
  readonly colour: number
}

/** Number of spans with each anomaly. */
export interface TraceFaults {
  readonly orphans: number
  readonly cycles: number
  readonly duplicates: number
  readonly outside: number
  readonly unfinished: number
}

/** Structure of a trace, in columns with a number for each span. Names stay in the worker thread. */
export interface Trace {
  readonly count: number
  /** Start of the earliest span, Unix ms. */
  readonly startMs: number
  /** Time from the earliest start to the latest end, in milliseconds. */
  readonly durationMs: number
  /** List index of the parent; -1 for a root. */
  readonly parents: Int32Array
  readonly depths: Uint32Array
  /** Number of spans in the subtree, including the span itself. */
  readonly sizes: Uint32Array
  /** Milliseconds since `startMs`. */
  readonly starts: Float64Array
  readonly ends: Float64Array
  /** Bits of `spanFlags`. */
  readonly flags: Uint8Array
  readonly colours: Uint8Array
  /** Segments of the critical path in time order. Those of span `n` are at indexes `from[n]` to `from[n + 1]`. */
  readonly critical: { readonly from: Uint32Array; readonly starts: Float64Array; readonly ends: Float64Array }
  /** The most frequent services. */
  readonly services: readonly TraceService[]
  readonly serviceCount: number
  readonly errors: number
  readonly faults: TraceFaults
  /** True if one of the spans has no parent id. */
  readonly hasRoot: boolean
}

/** Requests spans by list index, or by id. If several spans have an id, the first one counts. */
export interface SpansRequest {
  readonly answer: number
  readonly positions?: readonly number[]
  readonly ids?: readonly string[]
}

/** Names and other labels of a span in the list. */
export interface SpanLabel {
  readonly position: number
  readonly id: string
  readonly parent: string
  readonly name: string
  readonly service: string
}
