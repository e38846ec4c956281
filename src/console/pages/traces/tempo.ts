import type { Ask } from '../../ask/client.ts'
import type { TimeRange } from '../../ask/requests.ts'
import type { FoundTrace } from './found-traces.ts'

/** Spans of a trace that the query matched. */
export interface SentSpanSet {
  readonly spans: readonly { readonly spanID: string }[]
  /** Number of matched spans; `spans` has the first ones. */
  readonly matched: number
}

/** A trace in a TraceQL search result. Numbers that are 0 are left out. */
export interface SentTrace {
  readonly traceID: string
  readonly rootServiceName: string
  readonly rootTraceName?: string
  readonly startTimeUnixNano: string
  readonly durationMs?: number
  readonly spanSets?: readonly SentSpanSet[]
  readonly serviceStats?: Readonly<Record<string, { readonly spanCount: number; readonly errorCount?: number }>>
}

/** Rounds a range outwards to whole seconds. */
function secondsOf({ startMs, endMs }: TimeRange): { readonly start: string; readonly end: string } {
  return { start: String(Math.floor(startMs / 1000)), end: String(Math.ceil(endMs / 1000)) }
}

/** Sends a request to Tempo's API, which accepts ranges in whole seconds only. Rejects with AskError. */
export async function askTempo<T>(
  ask: Ask,
  path: string,
  range: TimeRange,
  parameters: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<T> {
  const form = new URLSearchParams({ ...secondsOf(range), ...parameters }).toString()
  const { body } = await ask('json', { method: 'GET', path: `/tempo/api/${path}?${form}` }, { signal })
  return body as T
}

/** Searches traces, latest first. Rejects with AskError. */
export async function searchTempo(
  ask: Ask,
  query: string,
  range: TimeRange,
  limits: { readonly traces: number; readonly spans: number },
  signal: AbortSignal,
): Promise<readonly SentTrace[]> {
  const form = { q: query, ...secondsOf(range), limit: String(limits.traces), spss: String(limits.spans) }
  // A long query fits in a body, not in a URL.
  const request = {
    method: 'POST',
    path: '/tempo/api/search',
    body: new URLSearchParams(form).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  } as const
  const { body } = await ask('json', request, { signal })
  return (body as { readonly traces: readonly SentTrace[] }).traces
}

/** Maximum number of spans of a trace that a link names for the waterfall to mark. */
export const MARKED_SPANS = 20

/** Tempo's placeholder for the service of a trace without a root. */
const NO_ROOT = '<root span not yet received>'

/** Converts ns since 1970 to the time format of the list. */
function isoOf(nanos: string): string {
  return new Date(Number(BigInt(nanos) / 1_000_000n)).toISOString()
}

/** Converts a trace of the search result to a row of the list. */
export function traceOf(sent: SentTrace): FoundTrace {
  const services = Object.values(sent.serviceStats ?? {})
  const sets = sent.spanSets ?? []
  const hasRoot = sent.rootServiceName !== NO_ROOT
  return {
    id: sent.traceID,
    name: sent.rootTraceName ?? '',
    service: hasRoot ? sent.rootServiceName : '',
    isRoot: hasRoot,
    start: isoOf(sent.startTimeUnixNano),
    durationMs: sent.durationMs ?? 0,
    spans: services.reduce((sum, { spanCount }) => sum + spanCount, 0),
    errors: services.reduce((sum, { errorCount = 0 }) => sum + errorCount, 0),
    matched: {
      count: sets.reduce((sum, { matched }) => sum + matched, 0),
      ids: [...new Set(sets.flatMap(({ spans }) => spans.map(({ spanID }) => spanID)))].slice(0, MARKED_SPANS),
    },
  }
}
