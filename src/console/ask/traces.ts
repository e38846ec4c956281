/** Questions about one trace. Its spans are listed so that each one is followed by its descendants. */

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
  /** From the earliest start to the latest end, in milliseconds. */
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

/** What the list shows of a span. */
export interface SpanLabel {
  readonly place: number
  readonly id: string
  readonly parent: string
  readonly name: string
  readonly service: string
}
