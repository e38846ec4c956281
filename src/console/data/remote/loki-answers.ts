import { formatRfc3339 } from '../../../base/index.ts'
import type { Hits, QueryRequest, TimeRange } from '../../ask/requests.ts'
import type { ServerCalls } from './server-calls.ts'

export type LogqlRequest = Pick<QueryRequest, 'query' | 'range' | 'maxRows'>

type Labels = Readonly<Record<string, string>>

interface SentEntries {
  readonly stream: Labels
  readonly values: readonly (readonly [ns: string, line: string])[]
}

interface SentSeries {
  readonly metric: Labels
  readonly values: readonly (readonly [seconds: number, value: string])[]
}

type SentAnswer =
  | { readonly resultType: 'streams'; readonly result: readonly SentEntries[] }
  | { readonly resultType: 'matrix'; readonly result: readonly SentSeries[] }

/** Maximum number of entries that a server returns at once. */
const MAX_ENTRIES = 5000

/**
 * Number of histogram bars. They all have the same width, since LogQL does not cut its windows at the ends of the
 * range.
 */
const BARS = 60

function nanos(ms: number): string {
  return `${Math.round(ms)}000000`
}

/** Sends a query for a range. Rejects with AskError. */
async function askLoki(
  calls: ServerCalls,
  query: string,
  { startMs, endMs }: TimeRange,
  more: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ readonly data: SentAnswer; readonly bytes: number }> {
  const form = { query, start: nanos(startMs), end: nanos(endMs), ...more }
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(form).toString()
  const response = await calls.answer('/loki/api/v1/query_range', { body, headers, signal })
  const text = await response.text()
  return { data: (JSON.parse(text) as { readonly data: SentAnswer }).data, bytes: text.length }
}

/** Returns labels as fields of a row. A label with the name of a column gets the suffix `_label`. */
function fieldsOf(labels: Labels, columns: readonly string[]): Labels {
  const names = Object.keys(labels).toSorted()
  return Object.fromEntries(names.map((name) => [columns.includes(name) ? `${name}_label` : name, labels[name] ?? '']))
}

/** Returns entries as JSON rows, newest first. */
function rowsOfEntries(streams: readonly SentEntries[]): readonly string[] {
  return streams
    .flatMap(({ stream, values }) => values.map(([time, content]) => ({ ns: BigInt(time), content, stream })))
    .toSorted((a, b) => (a.ns < b.ns ? 1 : a.ns > b.ns ? -1 : 0))
    .map(({ ns, content, stream }) =>
      JSON.stringify({ _time: formatRfc3339(ns, true), content, ...fieldsOf(stream, ['_time', 'content']) }),
    )
}

function sumOf({ values }: SentSeries): number {
  return values.reduce((sum, [, text]) => sum + (Number.isFinite(Number(text)) ? Number(text) : 0), 0)
}

/**
 * Returns series as JSON rows, one for each point. NaN and infinities become strings. The series with the largest sums
 * come first, since a chart draws only the first ones and then stops reading.
 */
function rowsOfSeries(series: readonly SentSeries[]): readonly string[] {
  const sums = new Map(series.map((each) => [each, sumOf(each)]))
  const ordered = series.toSorted((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0))
  return ordered.flatMap(({ metric, values }) => {
    const labels = fieldsOf(metric, ['_time', 'value'])
    return values.map(([seconds, text]) => {
      const value = Number.isFinite(Number(text)) ? Number(text) : text
      return JSON.stringify({ _time: new Date(seconds * 1000).toISOString(), ...labels, value })
    })
  })
}

/**
 * Runs a query in LogQL. Its rows, as JSON texts, are entries or the points of all series. Entries are limited to
 * `maxRows` and to the server's maximum. Rejects with AskError.
 */
export async function queryLogql(
  calls: ServerCalls,
  { query, range, maxRows }: LogqlRequest,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly bytes: number; readonly isCut: boolean }> {
  const limit = Math.min(maxRows + 1, MAX_ENTRIES)
  const { data, bytes } = await askLoki(calls, query, range, { limit: String(limit) }, signal)
  const isEntries = data.resultType === 'streams'
  const found = isEntries ? rowsOfEntries(data.result) : rowsOfSeries(data.result)
  const lines = isEntries ? found.slice(0, maxRows) : found
  return { lines, bytes, isCut: isEntries && found.length === limit }
}

/** Counts the entries of a log query over time, by level. Rejects with AskError. */
export async function hitsOfLogql(
  calls: ServerCalls,
  { query, range }: Pick<LogqlRequest, 'query' | 'range'>,
  signal: AbortSignal,
): Promise<Hits> {
  const stepMs = Math.ceil((range.endMs - range.startMs) / BARS)
  const timesMs = Array.from({ length: BARS }, (_, i) => range.startMs + i * stepMs)
  // `drop` makes entries with parser errors count too. It begins a new line, because the query may end with a comment.
  const entries = /\|\s*[a-z]/i.test(query) ? `${query}\n| drop __error__, __error_details__` : `${query}\n`
  const counts = `sum by (detected_level) (count_over_time(${entries}[${stepMs}ms]))`
  // LogQL evaluates a window at its end, which is the last ms of a bar.
  const ends = { startMs: range.startMs + stepMs - 1, endMs: range.startMs + BARS * stepMs - 1 }
  const { data } = await askLoki(calls, counts, ends, { step: `${stepMs}ms` }, signal)
  const groups = (data.resultType === 'matrix' ? data.result : []).map(({ metric, values }) => {
    const hits = timesMs.map(() => 0)
    for (const [seconds, text] of values) {
      const bar = Math.round((seconds * 1000 - ends.startMs) / stepMs)
      hits[bar] = Number(text)
    }
    return { name: metric['detected_level'] ?? '', hits, total: hits.reduce((sum, each) => sum + each, 0) }
  })
  return { stepMs, timesMs, total: groups.reduce((sum, { total }) => sum + total, 0), groups }
}
