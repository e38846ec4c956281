import type { FuzzSample } from '../../../src/fuzz/promql/dataset.ts'
import type { QueryTimes } from '../../../src/fuzz/promql/run-query.ts'
import { readAnswer, type MetricAnswer } from './metric-answers.ts'
import { remoteWriteBody } from './metric-write.ts'
import { excerpt, ServerFault, type Server } from './server.ts'

function seconds(timeMs: number): string {
  return (timeMs / 1000).toFixed(3)
}

/** Client of a server with the reference implementation's HTTP API and remote write. */
export class MetricServer {
  readonly #server: Server

  constructor(server: Server) {
    this.#server = server
  }

  /** Sends samples, which can be queried as soon as they are accepted. Throws ServerFault. */
  async load(samples: readonly FuzzSample[]): Promise<void> {
    const { status, body } = await this.#server.send('/api/v1/write', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-protobuf',
        'content-encoding': 'snappy',
        'x-prometheus-remote-write-version': '0.1.0',
      },
      body: remoteWriteBody(samples),
    })
    if (status === 404)
      throw new ServerFault(`${this.#server.url} takes no remote writes (--web.enable-remote-write-receiver)`, true)
    if (status < 200 || status > 299)
      throw new ServerFault(`${this.#server.url} refuses samples with ${status}: ${excerpt(body)}`, true)
  }

  /** Runs an instant query if `stepMs` is 0, else a range query. Throws ServerFault. */
  async query(text: string, { startMs, endMs, stepMs }: QueryTimes): Promise<MetricAnswer> {
    const isInstant = stepMs === 0
    const times: Record<string, string> = isInstant
      ? { time: seconds(startMs) }
      : { start: seconds(startMs), end: seconds(endMs), step: seconds(stepMs) }
    const { status, body } = await this.#server.send(isInstant ? '/api/v1/query' : '/api/v1/query_range', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ query: text, ...times }).toString(),
    })
    if (status >= 500 && !body.startsWith('{')) throw new ServerFault(`answers ${status}: ${excerpt(body)}`)
    return readAnswer(body)
  }
}
