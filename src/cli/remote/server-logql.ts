import { CommandError, MAX_NS, type Interval } from '../../base/index.ts'
import { Instant, batchOfRows, type Row } from '../../data/index.ts'
import { logsTable } from '../../store/index.ts'
import { entriesSchema, entryRow } from '../logql/entries-text.ts'
import { seriesAnswer } from '../logql/metric-text.ts'
import type { AskedServer, ShownAnswer } from '../logql/query-text.ts'
import type { Terminal } from '../terminal.ts'
import { askServer, readFrom } from './ask-server.ts'
import { rowsOfAnswer, type JsonAnswer, type ServerPromql } from './server-promql.ts'

/** Maximum number of entries that a server returns at once. */
const MAX_ENTRIES = 5000

interface JsonStreams {
  readonly data: {
    readonly result: readonly {
      readonly stream: Readonly<Record<string, string>>
      readonly values: readonly (readonly [timeNs: string, line: string])[]
    }[]
  }
}

async function answerOf<T>(
  path: string,
  parameters: Readonly<Record<string, string>>,
  { server, key, backendId, signal }: AskedServer,
  terminal: Terminal,
): Promise<T> {
  const body = new URLSearchParams(parameters)
  const request = { path: `/loki/api/v1/${path}`, key, backend: backendId, body }
  const response = await askServer(server, request, terminal, { signal })
  return JSON.parse(await readFrom(server, terminal, () => response.text())) as T
}

/** Returns the entries that match on a server, newest first. Throws CommandError and `budget/deadline`. */
export async function entriesOfServer(
  text: string,
  { startNs, endNs }: Interval,
  asked: AskedServer,
  terminal: Terminal,
): Promise<ShownAnswer> {
  // The server rejects times below this limit.
  const start = String(startNs < -MAX_NS ? -MAX_NS : startNs)
  const parameters = { query: text, start, end: String(endNs), limit: String(MAX_ENTRIES) }
  const { data } = await answerOf<JsonStreams>('query_range', parameters, asked, terminal)
  const schema = entriesSchema(logsTable)
  const entries = data.result.flatMap(({ stream, values }) =>
    values.map(([time, line]) => ({ timeNs: BigInt(time), line, stream })),
  )
  if (entries.length >= MAX_ENTRIES)
    terminal.writeError(`A server gives at most ${MAX_ENTRIES} entries at once: --from and --to choose others.\n`)
  const rows: readonly Row[] = entries
    .toSorted((a, b) => (a.timeNs < b.timeNs ? 1 : a.timeNs > b.timeNs ? -1 : 0))
    .map(({ timeNs, line, stream }) => entryRow(logsTable, new Instant(timeNs), line, Object.entries(stream)))
  return {
    schema,
    result: undefined,
    // oxlint-disable-next-line require-await
    async *batches() {
      if (rows.length > 0) yield batchOfRows(schema, rows)
    },
  }
}

/** Runs a metric query on a server at these times and returns its series. Throws CommandError and `budget/deadline`. */
export async function seriesOfServer(
  text: string,
  { startMs, endMs, stepMs }: ServerPromql['times'],
  asked: AskedServer,
  terminal: Terminal,
): Promise<ShownAnswer> {
  const ns = (ms: number): string => `${ms}000000`
  const parameters =
    stepMs === 0
      ? { query: text, time: ns(startMs) }
      : { query: text, start: ns(startMs), end: ns(endMs), step: `${stepMs}ms` }
  const answer = await answerOf<JsonAnswer>(stepMs === 0 ? 'query' : 'query_range', parameters, asked, terminal)
  const { data } = answer
  // In a scalar result, Loki's API has ms instead of seconds.
  if (data.resultType === 'scalar') {
    const [ms, value] = data.result
    return { ...seriesAnswer(rowsOfAnswer({ data: { ...data, result: [ms / 1000, value] } })), result: undefined }
  }
  if (data.resultType === 'string') throw new CommandError('The server answers with a text, which LogQL has not.', 1)
  return { ...seriesAnswer(rowsOfAnswer(answer)), result: undefined }
}
