/** Spans of a trace as columns, in order of arrival. Times are in milliseconds. */
export interface SpanColumns {
  readonly count: number
  readonly ids: readonly string[]
  /** Parent ids; an empty string for a span without a parent. */
  readonly parents: readonly string[]
  readonly services: readonly string[]
  /** Milliseconds since `startMs`. */
  readonly starts: Float64Array
  /** Milliseconds; NaN for a span without a duration. */
  readonly durations: Float64Array
  readonly errors: Uint8Array
  /** Start of the earliest span, Unix ms. */
  readonly startMs: number
}

/** Fields of a span that determine its position in the tree. */
interface SentSpan {
  readonly _time?: unknown
  readonly span_id?: unknown
  readonly parent_span_id?: unknown
  readonly workload?: unknown
  readonly status?: unknown
  readonly duration_seconds?: unknown
}

/** Length of the text `2026-03-10T12:00:00`. */
const SECOND_CHARS = 19

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** Parses a span. A line that is not a JSON object becomes a span without fields. */
export function parsedSpan(line: string): Readonly<Record<string, unknown>> {
  try {
    const span: unknown = JSON.parse(line)
    if (typeof span === 'object' && span !== null) return span as Readonly<Record<string, unknown>>
  } catch {
    // The last line of an answer may be truncated.
  }
  return {}
}

/** Reads spans from JSON lines. Times are relative to the earliest second, so that they keep their nanoseconds. */
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
    // Shares one string for each service name to save memory.
    if (!known.has(service)) known.set(service, service)
    services.push(known.get(service) ?? service)
  }
  let least = Infinity
  for (let row = 0; row < count; row++) {
    // A span without a valid time is placed at the beginning.
    const start = (Number.isNaN(seconds[row]) ? 0 : (seconds[row] ?? 0) - firstMs) + (starts[row] ?? 0)
    starts[row] = start
    least = Math.min(least, start)
  }
  if (count === 0 || firstMs === Infinity)
    return { count, ids, parents, services, starts, durations, errors, startMs: 0 }
  for (let row = 0; row < count; row++) starts[row] = (starts[row] ?? 0) - least
  return { count, ids, parents, services, starts, durations, errors, startMs: firstMs + least }
}
