/**
 * A fault of a server; the message completes the sentence "the server …". `isGone` means that further requests are
 * pointless.
 */
export class ServerFault extends Error {
  readonly isGone: boolean

  constructor(message: string, isGone = false) {
    super(message)
    this.isGone = isGone
  }
}

/** Answer to a query that the server refuses because of a fault in the query. */
export interface Refusal {
  readonly refused: string
}

export interface Reply {
  readonly status: number
  readonly body: string
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message || cause.name}` : error.message
}

const MOST_SHOWN = 200

export function excerpt(text: string): string {
  return JSON.stringify(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)
}

/** HTTP client for one server. */
export class Server {
  readonly url: string
  /** Milliseconds within which the server must answer. */
  readonly timeoutMs: number

  constructor(url: string, timeoutMs: number) {
    this.url = url.replace(/\/+$/, '')
    this.timeoutMs = timeoutMs
  }

  /** Sends a request and returns the whole reply, whatever its status. Throws ServerFault if none arrives in time. */
  async send(path: string, init: RequestInit = {}): Promise<Reply> {
    const signal = AbortSignal.timeout(this.timeoutMs)
    const { url } = this
    const late = (): ServerFault => new ServerFault(`${url}${path} gave no answer in ${this.timeoutMs / 1000} s`)
    let response: Response
    try {
      response = await fetch(`${url}${path}`, { ...init, signal })
    } catch (error) {
      throw signal.aborted ? late() : new ServerFault(`${url}${path} cannot be reached: ${reasonOf(error)}`, true)
    }
    try {
      return { status: response.status, body: await response.text() }
    } catch (error) {
      throw signal.aborted ? late() : new ServerFault(`${url}${path} breaks off its answer: ${reasonOf(error)}`)
    }
  }

  /**
   * Sends a request and returns the body of the reply. Throws ServerFault if none arrives in time or its status is not
   * 2xx.
   */
  async expect(path: string, init: RequestInit = {}): Promise<string> {
    const { status, body } = await this.send(path, init)
    if (status < 200 || status > 299)
      throw new ServerFault(`${this.url}${path} answers ${status}: ${excerpt(body)}`, true)
    return body
  }
}
