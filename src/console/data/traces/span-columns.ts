/** The spans of a trace as columns, in the order in which they arrived. Times are in milliseconds. */
export interface SpanColumns {
  readonly count: number
  readonly ids: readonly string[]
  /** Ids of parents; the empty string for a span without one. */
  readonly parents: readonly string[]
  readonly services: readonly string[]
  /** Milliseconds since `startMs`. */
  readonly starts: Float64Array
  /** Milliseconds; NaN for a span that has no duration yet. */
  readonly durations: Float64Array
  readonly errors: Uint8Array
  /** Start of the earliest span in milliseconds since 1970. */
  readonly startMs: number
}

/** The fields of a span that its place in the tree depends on. */
interface SentSpan {
  readonly _time?: unknown
  readonly span_id?: unknown
  readonly parent_span_id?: unknown
  readonly workload?: unknown
  readonly status?: unknown
  readonly duration_seconds?: unknown
}

/** Length of `2026-03-10T12:00:00` in a time. */
const SECOND_CHARS = 19

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** Parses a span; a line that is no JSON object is a span without fields. */
export function parsedSpan(line: string): Readonly<Record<string, unknown>> {
  try {
    const span: unknown = JSON.parse(line)
    if (typeof span === 'object' && span !== null) return span as Readonly<Record<string, unknown>>
  } catch {
    // The last line of an answer may be cut.
  }
  return {}
}

/** Reads spans from lines of JSON. Times keep their nanoseconds: they become relative to the earliest second. */
export function readSpans(count: number, line: (row: number) => string): SpanColumns {
  const [ids, parents, services]: [string[], string[], string[]] = [[], [], []]
  const seconds = new Float64Array(count)
  const starts = new Float64Array(count)
  const durations = new Float64Array(count)
  const errors = new Uint8Array(count)
  const known = new Map<string, string>()
  let [lastSecond, lastSecondMs] = ['', NaN]
  let firstMs = Infinity
  for (let row = 0; row < count; row++) {
    const span: SentSpan = parsedSpan(line(row))
    const time = textOf(span._time)
    const second = time.slice(0, SECOND_CHARS)
    if (second !== lastSecond) [lastSecond, lastSecondMs] = [second, Date.parse(`${second}Z`)]
    seconds[row] = lastSecondMs
    starts[row] = Number(`0.${/^\.(\d+)/.exec(time.slice(SECOND_CHARS))?.[1] ?? '0'}`) * 1000
    if (lastSecondMs < firstMs) firstMs = lastSecondMs
    const duration = typeof span.duration_seconds === 'number' ? span.duration_seconds * 1000 : NaN
    durations[row] = duration >= 0 ? duration : NaN
    errors[row] = span.status === 'error' ? 1 : 0
    ids.push(textOf(span.span_id))
    parents.push(textOf(span.parent_span_id))
    const service = textOf(span.workload)
    // One string for each service: a trace of 100,000 spans has few.
    if (!known.has(service)) known.set(service, service)
    services.push(known.get(service) ?? service)
  }
  let least = Infinity
  for (let row = 0; row < count; row++) {
    // A span without a valid time stands at the beginning.
    const start = (Number.isNaN(seconds[row]) ? 0 : (seconds[row] ?? 0) - firstMs) + (starts[row] ?? 0)
    starts[row] = start
    least = Math.min(least, start)
  }
  if (count === 0 || firstMs === Infinity)
    return { count, ids, parents, services, starts, durations, errors, startMs: 0 }
  for (let row = 0; row < count; row++) starts[row] = (starts[row] ?? 0) - least
  return { count, ids, parents, services, starts, durations, errors, startMs: firstMs + least }
}
