import { Agent, request } from 'node:http'
import type { CatalogKind } from './catalogs.ts'
import type { AddressParts, Service } from './service.ts'

/** One way to freeze, fill or kill a service. The files of `list/` contain each attack once. */
export interface Attack {
  readonly name: string
  /** Whether the attack is one request, whose answer must respect its deadline. */
  readonly isOne?: boolean
  /**
   * Whether the attack is one of the longest or largest. Such an attack runs until its deadline even in a short run.
   */
  readonly isWorst?: boolean
  /** Whether the attack stores rows or series, so that the next attack needs a new service. */
  readonly leavesData?: boolean
  /** The databases that hold the service's rows; by default its own memory. */
  readonly catalog?: CatalogKind
  /**
   * Runs until it is done or `caller.signal` aborts. Rejections caused by the abort or by a dead service are expected.
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
  /** Ends this request alone. */
  readonly signal?: AbortSignal
}

const CODE = /"code":"([^"]+)"/

/** The client with the hostile key. It sends requests and counts their outcomes. */
export class Caller {
  readonly address: AddressParts
  readonly key: string
  /** Aborted when the attack's time is up. */
  readonly signal: AbortSignal
  /**
   * The number of requests by status. The status of an error includes its code; `cut` means that a request had no
   * answer.
   */
  readonly outcomes = new Map<string, number>()
  /** The longest time in milliseconds until an answer ended or was cut off. */
  longestMs = 0
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 2000 })

  /** The process id of the service. */
  readonly pid: number
  /** The folder with the files of the service. */
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

  /** Sends one request and reads its answer to the end, keeping its first bytes only. Never rejects. */
  async send(path: string, sending: Sending = {}): Promise<void> {
    const sentMs = performance.now()
    this.count(await this.#outcome(path, sending))
    this.longestMs = Math.max(this.longestMs, performance.now() - sentMs)
  }

  /** Sends JSON. */
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

  /** Asks for a whole answer over all logs. */
  searchLogs(query: string, signal?: AbortSignal): Promise<void> {
    return this.search('/api/logs/v2/search', query, signal)
  }

  /** Asks for a whole answer over all rows of another table. */
  search(path: string, query: string, signal?: AbortSignal): Promise<void> {
    return this.send(path, {
      headers: { 'Content-Type': 'application/json' },
      body: logSearchBody(query),
      ...(signal !== undefined && { signal }),
    })
  }

  /** Asks for a metric expression over the hour that has samples. */
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
