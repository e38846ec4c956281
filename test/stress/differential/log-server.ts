import { setTimeout as wait } from 'node:timers/promises'
import type { AnswerRow, LogAnswer } from './log-answers.ts'
import { STREAM_FIELDS, TEXT_FIELD } from './log-rows.ts'
import { excerpt, Server, ServerFault } from './server.ts'

/** Ids of the tenant that holds one data set on a server. */
export interface LogData {
  readonly account: number
  readonly project: number
}

/** Milliseconds between two polls for whether the server finds all rows. */
const POLL_MS = 100
const FORM = 'application/x-www-form-urlencoded'

function headersOf({ account, project }: LogData, type: string): Record<string, string> {
  return { 'content-type': type, AccountID: String(account), ProjectID: String(project) }
}

function rowOf(line: string): AnswerRow {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new ServerFault(`answers a line that is not JSON: ${excerpt(line)}`)
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new ServerFault(`answers a line that is not an object: ${excerpt(line)}`)
  const fields: Record<string, string> = {}
  for (const [name, field] of Object.entries(value)) {
    if (typeof field !== 'string') throw new ServerFault(`answers a value that is not text: ${excerpt(line)}`)
    // One server omits empty values, another one writes them.
    if (field !== '') fields[name] = field
  }
  return fields
}

/** Client of a server with the reference implementation's HTTP API. Each data set is in a separate tenant. */
export class LogServer {
  readonly #server: Server
  readonly #account = Math.floor(Date.now() / 1000) % 2 ** 31
  #project = 0

  constructor(server: Server) {
    this.#server = server
  }

  /**
   * Sends rows to the server as a new data set, and waits until the server finds all `count` of them. Throws
   * ServerFault.
   */
  async load(lines: string, count: number): Promise<LogData> {
    const data = { account: this.#account, project: this.#project++ }
    const fields = `_stream_fields=${STREAM_FIELDS.join(',')}&_time_field=_time&_msg_field=${TEXT_FIELD}`
    await this.#server.expect(`/insert/jsonline?${fields}`, {
      method: 'POST',
      headers: headersOf(data, 'application/stream+json'),
      body: lines,
    })
    const endMs = performance.now() + this.#server.timeoutMs
    let found: number
    do {
      await this.#server.expect('/internal/force_flush')
      const answer = await this.query(data, '* | stats count() as n')
      if ('refused' in answer) throw new ServerFault(`counting rows is refused: ${answer.refused}`, true)
      found = Number(answer.rows[0]?.['n'] ?? 0)
      if (found === count) return data
      await wait(POLL_MS)
    } while (performance.now() < endMs)
    throw new ServerFault(
      `${this.#server.url} holds ${found} of ${count} rows sent to it; does it keep rows of all of 2026 (-retentionPeriod, -futureRetention)?`,
      true,
    )
  }

  /** Runs a query over a data set. Throws ServerFault if the server does not answer in the expected form. */
  async query(data: LogData, text: string): Promise<LogAnswer> {
    const { status, body } = await this.#server.send('/select/logsql/query', {
      method: 'POST',
      headers: headersOf(data, FORM),
      body: new URLSearchParams({ query: text }).toString(),
    })
    if (status >= 400 && status < 500) return { refused: body.trim() }
    if (status !== 200) throw new ServerFault(`answers ${status}: ${excerpt(body)}`)
    return {
      rows: body
        .split('\n')
        .filter((line) => line !== '')
        .map(rowOf),
    }
  }
}
