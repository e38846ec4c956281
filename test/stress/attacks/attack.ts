import { Agent, request } from 'node:http'
import type { CatalogKind } from './catalogs.ts'
import type { AddressParts, Service } from './service.ts'

/** One way to freeze, fill or kill a service. The files of `list/` define each attack once. */
export interface Attack {
  readonly name: string
  /** True if the attack is a single request, which must be answered by its deadline. */
  readonly isOne?: boolean
  /** True if the attack is among the slowest or largest. Such an attack runs until its deadline even in a short run. */
  readonly isWorst?: boolean
  /** True if the attack stores rows or series, so that the next attack needs a new service. */
  readonly leavesData?: boolean
  /** Catalog of databases or files that holds the service's rows. By default the service's memory holds them. */
  readonly catalog?: CatalogKind
  /**
   * Runs the attack until it is complete or `caller.signal` aborts. May reject if it was aborted or the service has
   * died.
   */
  readonly run: (caller: Caller) => Promise<void>
}

/** Splits a list of name prefixes at commas. A comma inside a number, as in `1,000`, belongs to the name. */
export function namesIn(list: string): readonly string[] {
  return list.split(/(?<!\d),|,(?!\d{3}\b)/)
}

export interface Sending {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Cancels only this request. */
  readonly signal?: AbortSignal
}

const CODE = /"code":"([^"]+)"/

/** Client with the hostile API key. It sends requests and counts their outcomes. */
export class Caller {
  readonly address: AddressParts
  readonly key: string
  /** Aborts at the end of the attack's time. */
  readonly signal: AbortSignal
  /**
   * Number of requests by status. The status of an error includes its error code; `cut` counts requests without an
   * answer.
   */
  readonly outcomes = new Map<string, number>()
  /** Longest time in milliseconds from sending a request until its answer ended or was cut off. */
  longestMs = 0
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 2000 })

  /** Process id of the service. */
  readonly pid: number
  /** Folder with the files of the service; empty if it has none. */
  readonly folder: string

  constructor(service: Service, key: string, signal: AbortSignal) {
    this.address = service.address
    this.pid = service.pid
    this.folder = service.folder ?? ''
    this.key = key
    this.signal = signal
  }

  count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
  }

  /**
   * Sends one request and reads its whole answer, of which only the first bytes are stored. Counts the outcome. Never
   * rejects.
   */
  async send(path: string, sending: Sending = {}): Promise<void> {
    const sentMs = performance.now()
    this.count(await this.#outcome(path, sending))
    this.longestMs = Math.max(this.longestMs, performance.now() - sentMs)
  }

  /** Sends a request with a JSON body, as `send` does. */
  sendJson(path: string, body: unknown, method = 'POST'): Promise<void> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return this.send(path, { method, headers: { 'Content-Type': 'application/json' }, body: text })
  }

  #outcome(path: string, { method = 'POST', headers = {}, body, signal }: Sending): Promise<string> {
    return new Promise((resolve) => {
      const outgoing = request({
        ...this.address,
        path,
        method,
        agent: this.#agent,
        headers: { Authorization: `Bearer ${this.key}`, ...headers },
        signal: signal === undefined ? this.signal : AbortSignal.any([signal, this.signal]),
      })
      outgoing.once('error', () => resolve('cut'))
      outgoing.once('response', (answer) => {
        let head = ''
        answer.on('data', (chunk: Buffer) => {
          if (head.length < 1000) head += chunk.toString('latin1', 0, 1000)
        })
        answer.once('error', () => resolve('cut'))
        answer.once('end', () => {
          const { statusCode = 0 } = answer
          const code = statusCode >= 400 ? CODE.exec(head)?.[1] : undefined
          resolve(code === undefined ? `${statusCode}` : `${statusCode} ${code}`)
        })
      })
      outgoing.end(body)
    })
  }

  /** Runs a query over all logs and reads the whole answer. */
  searchLogs(query: string, signal?: AbortSignal): Promise<void> {
    return this.search('/api/logs/v2/search', query, signal)
  }

  /** Runs a query over all rows of another table and reads the whole answer. */
  search(path: string, query: string, signal?: AbortSignal): Promise<void> {
    return this.send(path, {
      headers: { 'Content-Type': 'application/json' },
      body: logSearchBody(query),
      ...(signal !== undefined && { signal }),
    })
  }

  /** Runs a PromQL range query over the hour that has samples. */
  queryRange(query: string, stepSeconds = 15): Promise<void> {
    return this.send('/api/v1/query_range', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        query,
        start: '2026-03-17T10:00:00Z',
        end: '2026-03-17T11:00:00Z',
        step: `${stepSeconds}`,
      }).toString(),
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

export function logSearchBody(query: string): string {
  return JSON.stringify({ start: '2026-03-17T00:00:00Z', end: '2026-03-18T00:00:00Z', query })
}
