import { createReadStream } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { formatRfc3339, parseRfc3339 } from '../../src/base/index.ts'
import { wholeLines } from './load-lines.ts'
import { logsByHand, STREAM_FIELDS } from './logs-by-hand.ts'
import { askHere, type AnswerRow, type BoundQuestion, type MakePeer } from './peer.ts'

/** The milliseconds between two requests for the number of loaded rows, and the longest wait. */
const POLL_MS = 500
const LOAD_TIMEOUT_MS = 600_000

/** The fields that the server adds to each row. */
const OWN_FIELDS = new Set(['_stream', '_stream_id'])

function textOf(text: string, { fromNs, toNs, page, trace }: BoundQuestion): string {
  return text
    .replaceAll('$from', formatRfc3339(fromNs))
    .replaceAll('$to', formatRfc3339(toNs))
    .replaceAll('$page', String(page))
    .replaceAll('$trace', trace)
}

function rowOf(line: string): AnswerRow {
  const row: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(JSON.parse(line) as Readonly<Record<string, string>>)) {
    if (value === '' || OWN_FIELDS.has(name)) continue
    if (name === '_time') row[name] = parseRfc3339(value)
    else row[name === '_msg' ? 'content' : name] = value
  }
  return row
}

/** A running VictoriaLogs, queried over HTTP; each run uses a tenant of its own. Times are those of requests. */
export const victoriaLogsPeer: MakePeer = async ({ file, rows, logs }) => {
  if (logs === undefined) throw new Error('VictoriaLogs needs --logs URL, the address of a running server.')
  const tenant = { AccountID: String(Math.floor(Date.now() / 1000) % 2 ** 31), ProjectID: '0' }

  async function ask(path: string, init: RequestInit = {}): Promise<string> {
    const response = await fetch(new URL(path, logs), {
      ...init,
      headers: { ...(init.headers as Readonly<Record<string, string>> | undefined), ...tenant },
    })
    const body = await response.text()
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${body.slice(0, 300)}`)
    return body
  }

  function linesOf(text: string): Promise<string> {
    return ask('/select/logsql/query', { method: 'POST', body: new URLSearchParams({ query: text }) })
  }

  async function query(text: string): Promise<readonly AnswerRow[]> {
    return (await linesOf(text))
      .split('\n')
      .filter((line) => line !== '')
      .map(rowOf)
  }

  async function metric(name: string): Promise<number> {
    const lines = (await ask('/metrics')).split('\n').filter((line) => line.startsWith(name))
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
  }

  return {
    load: async () => {
      const startMs = performance.now()
      const path = `/insert/jsonline?_stream_fields=${STREAM_FIELDS.join(',')}&_time_field=_time&_msg_field=content`
      for await (const lines of wholeLines(createReadStream(file, { highWaterMark: 4 << 20 }))) {
        await ask(path, { method: 'POST', headers: { 'content-type': 'application/stream+json' }, body: lines })
      }
      for (;;) {
        await ask('/internal/force_flush')
        const [answer] = await query('* | stats count() n')
        const found = Number(answer?.['n'] ?? 0)
        if (found === rows) return (performance.now() - startMs) / 1000
        if (performance.now() - startMs > LOAD_TIMEOUT_MS)
          throw new Error(
            `${logs} holds ${found} of ${rows} rows: does it keep rows of all of 2026 (-retentionPeriod=100y, -futureRetention=2y)?`,
          )
        await wait(POLL_MS)
      }
    },
    ask: async (bound) => {
      const text = logsByHand[bound.question.id]
      if (text === undefined) return undefined
      const run = bound.question.jsonLines === undefined ? query : linesOf
      return askHere(async () => () => run(textOf(text, bound)), rowOf)
    },
    bytes: async () => ({
      residentBytes: await metric('process_resident_memory_bytes'),
      diskBytes: await metric('vl_data_size_bytes'),
    }),
    close: async () => {},
  }
}
