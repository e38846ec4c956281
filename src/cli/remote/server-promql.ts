import { Instant, type Row, type Value } from '../../data/index.ts'
import type { Terminal } from '../terminal.ts'
import { askServer, readFrom, type ServerArguments } from './ask-server.ts'

/** Unix seconds, and the value as a string. */
type JsonSample = readonly [seconds: number, value: string]
type JsonHistogram = readonly [seconds: number, value: { readonly count: string; readonly sum: string }]

interface JsonSeries {
  readonly metric: Readonly<Record<string, string>>
  readonly value?: JsonSample
  readonly histogram?: JsonHistogram
  readonly values?: readonly JsonSample[]
  readonly histograms?: readonly JsonHistogram[]
}

export interface JsonAnswer {
  readonly data:
    | { readonly resultType: 'vector'; readonly result: readonly JsonSeries[] }
    | { readonly resultType: 'matrix'; readonly result: readonly JsonSeries[] }
    | { readonly resultType: 'scalar'; readonly result: JsonSample }
    | { readonly resultType: 'string'; readonly result: JsonSample }
  readonly warnings?: readonly string[]
  readonly infos?: readonly string[]
}

export interface ServerPromql extends ServerArguments {
  readonly server: string
  readonly backendId: string | undefined
  /** Evaluation times in Unix ms; a step of 0 means a single one. */
  readonly times: { readonly startMs: number; readonly endMs: number; readonly stepMs: number }
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Runs an expression on a server and returns its JSON answer. Throws CommandError and `budget/deadline`. */
export async function promqlOfServer(text: string, asked: ServerPromql, terminal: Terminal): Promise<string> {
  const { server, key, backendId, signal, timeoutMs } = asked
  const { startMs, endMs, stepMs } = asked.times
  const seconds = (ms: number): string => String(ms / 1000)
  const body = new URLSearchParams({ query: text, timeout: seconds(timeoutMs) })
  const times: Readonly<Record<string, number>> =
    stepMs === 0 ? { time: startMs } : { start: startMs, end: endMs, step: stepMs }
  for (const [name, ms] of Object.entries(times)) body.set(name, seconds(ms))
  const path = stepMs === 0 ? '/api/v1/query' : '/api/v1/query_range'
  const response = await askServer(server, { path, key, backend: backendId, body }, terminal, { signal })
  return readFrom(server, terminal, () => response.text())
}

function numberOf(text: string): number {
  return Number(text.replace(/Inf$/, 'Infinity'))
}

function histogramText({ count, sum }: JsonHistogram[1]): string {
  return `count ${numberOf(count)}, sum ${numberOf(sum)}`
}

/** Converts the samples of an answer to rows: `_time`, the labels, `value`; for a histogram its count and sum. */
export function rowsOfAnswer({ data }: JsonAnswer): readonly Row[] {
  const rowOf = (metric: JsonSeries['metric'], seconds: number, value: Value): Row =>
    new Map<string, Value>([
      ['_time', new Instant(BigInt(Math.round(seconds * 1000)) * 1_000_000n)],
      ...Object.entries(metric),
      ['value', value],
    ])
  if (data.resultType === 'scalar' || data.resultType === 'string') {
    const [seconds, text] = data.result
    return [rowOf({}, seconds, data.resultType === 'scalar' ? numberOf(text) : text)]
  }
  return data.result.flatMap(({ metric, value, histogram, values = [], histograms = [] }) => {
    const numbers = value === undefined ? values : [value]
    const others = histogram === undefined ? histograms : [histogram]
    const rows = [
      ...numbers.map(([seconds, text]) => [seconds, numberOf(text)] as const),
      ...others.map(([seconds, sent]) => [seconds, histogramText(sent)] as const),
    ]
    return rows.toSorted(([a], [b]) => a - b).map(([seconds, shown]) => rowOf(metric, seconds, shown))
  })
}
