/** Questions about one trace. Its spans are listed so that each one is followed by its descendants. */

/** Anomalies of a span, as bits of one number. */
export const spanFlags = {
  error: 1,
  /** Its parent is not among the spans. */
  orphan: 2,
  /** Its ancestors lead back to it; the tree cuts the cycle here. */
  cycle: 4,
  /** An earlier span has the same id. */
  duplicate: 8,
  /** It begins before its parent, or ends after it. */
  outside: 16,
  /** It has no duration. */
  unfinished: 32,
  /** The trace takes as long as it does because of it. */
  critical: 64,
} as const

/** Spans of a trace that are read. */
export const MAX_SPANS = 100_000

/** Fields that the tree and the list of spans need; the others are read for the selected span alone. */
export const TREE_FIELDS = [
  '_time',
  'span_id',
  'parent_span_id',
  'span_name',
  'workload',
  'status',
  'duration_seconds',
] as const

/** Colours that the style sheet has for series. */
export const COLOURS = 10

/** Returns the number of a service's colour by its name. */
export function serviceColour(name: string): number {
  let hash = 0
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) >>> 0
  // The lowest bits of such a sum hardly depend on the first letters.
  return ((hash ^ (hash >>> 15)) >>> 0) % COLOURS
}

/** A service of a trace. */
export interface TraceService {
  readonly name: string
  readonly spans: number
  /** Number of its colour, from its name alone. */
  readonly colour: number
}

/** How many spans are odd in which way. */
export interface TraceFaults {
  readonly orphans: number
  readonly cycles: number
  readonly duplicates: number
  readonly outside: number
  readonly unfinished: number
}

/** The shape of a trace as columns with one number for each span. Names stay in the thread of the source. */
export interface Trace {
  readonly count: number
  /** Start of the earliest span in milliseconds since 1970. */
  readonly startMs: number
  /** Time from the earliest start to the latest end, in milliseconds. */
  readonly durationMs: number
  /** Place of the parent; -1 for a root. */
  readonly parents: Int32Array
  readonly depths: Uint32Array
  /** Number of spans in the subtree, with the span itself. */
  readonly sizes: Uint32Array
  /** Milliseconds since `startMs`. */
  readonly starts: Float64Array
  readonly ends: Float64Array
  /** Bits of `spanFlags`. */
  readonly flags: Uint8Array
  readonly colours: Uint8Array
  /** Pieces of the critical path: those of span `n` stand from `from[n]` to `from[n + 1]`, in the order of time. */
  readonly critical: { readonly from: Uint32Array; readonly starts: Float64Array; readonly ends: Float64Array }
  /** The most frequent services. */
  readonly services: readonly TraceService[]
  readonly serviceCount: number
  readonly errors: number
  readonly faults: TraceFaults
  /** Whether a span without a parent is among the spans. */
  readonly hasRoot: boolean
}

/** Spans by their places in the list, or by their ids, of which the first one counts. */
export interface SpansRequest {
  readonly answer: number
  readonly places?: readonly number[]
  readonly ids?: readonly string[]
}

/** List entry of a span. */
export interface SpanLabel {
  readonly place: number
  readonly id: string
  readonly parent: string
  readonly name: string
  readonly service: string
}
