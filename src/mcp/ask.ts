import type { AgentCaller } from '../server/index.ts'
import { CallFault } from './fault.ts'
import type { Ceilings } from './limits.ts'

/**
 * Sends a request to the HTTP API with the caller's key; `path` begins with `/`. The API may run in this process or on
 * another machine. It enforces the caller's permissions.
 */
export type Ask = AgentCaller['ask']

export interface Question {
  readonly path: string
  /** JSON body or form fields of a POST request. Without a body the request is a GET. */
  readonly body?: object | URLSearchParams
  readonly accept?: string
}

interface ErrorBody {
  readonly message?: string
  readonly error?: string
  readonly details?: { readonly diagnostics?: readonly object[] }
}

/** Advice for HTTP statuses that corrected arguments would not resolve. */
const refusals: ReadonlyMap<number, string> = new Map([
  [401, 'The server does not know the key. Configure another key for this agent.'],
  [403, 'The key has no right to read this.'],
  [404, 'The server does not have this.'],
  [429, 'The key has too many queries running. Wait, then call again.'],
  [503, 'The server is busy or still starting. Wait, then call again.'],
])

const REFUSED = 'The server refused the request; `data` says why. Correct the arguments and call again.'

async function refusalOf(response: Response): Promise<CallFault> {
  const text = await response.text()
  let body: ErrorBody = {}
  try {
    body = JSON.parse(text) as ErrorBody
  } catch {
    // A body that is not JSON comes from a proxy, not from Sluice.
    body = { message: text }
  }
  const { message, error, details } = body
  const reported = details?.diagnostics ?? []
  return new CallFault(
    refusals.get(response.status) ?? REFUSED,
    reported.length > 0 ? reported : [{ message: message ?? error }],
  )
}

/** All HTTP requests of one tool call, which share the ceilings of the caller. */
export class Asking {
  readonly ceilings: Ceilings
  readonly #ask: Ask
  readonly #signal: AbortSignal
  readonly #deadlineMs: number
  #receivedBytes = 0

  constructor(ask: Ask, ceilings: Ceilings, signal: AbortSignal) {
    this.ceilings = ceilings
    this.#ask = ask
    this.#deadlineMs = performance.now() + ceilings.ms
    this.#signal = AbortSignal.any([signal, AbortSignal.timeout(ceilings.ms)])
  }

  /**
   * Counts received bytes. Throws CallFault if they and `readBytes`, the bytes read from storage, exceed the ceiling.
   */
  count(bytes: number, readBytes = 0): void {
    this.#receivedBytes += bytes
    const { bytes: ceiling } = this.ceilings
    if (this.#receivedBytes + readBytes > ceiling)
      throw new CallFault(
        `The call read more than the ${ceiling} bytes that its key may read. Narrow the time range or the filters, or select fewer fields.`,
      )
  }

  /**
   * Sends a request and returns the response if its status is 200. Throws CallFault for any other status, at the
   * deadline, and if the server cannot be reached.
   */
  async response({ path, body, accept = 'application/json' }: Question): Promise<Response> {
    const isForm = body instanceof URLSearchParams
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    const response = await this.guarded(() =>
      this.#ask(path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { Accept: accept, ...(body === undefined ? {} : { 'Content-Type': type }) },
        ...(body === undefined ? {} : { body: isForm ? body.toString() : JSON.stringify(body) }),
        signal: this.#signal,
      }),
    )
    if (response.status === 200) return response
    throw await this.guarded(() => refusalOf(response))
  }

  /** Returns the body of a response as text. Throws like `response`, and if the body exceeds the ceiling of bytes. */
  async text(question: Question): Promise<string> {
    const response = await this.response(question)
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of this.chunks(response)) text += decoder.decode(chunk, { stream: true })
    return text + decoder.decode()
  }

  /** Returns the body of a response as JSON. Throws like `text`. */
  async json<T>(question: Question): Promise<T> {
    return JSON.parse(await this.text(question)) as T
  }

  /** Yields the body of a response in chunks as they arrive. Leaving the loop cancels the request. */
  async *chunks(response: Response): AsyncGenerator<Uint8Array> {
    if (response.body === null) return
    const reader = response.body.getReader()
    try {
      for (;;) {
        const { done, value } = await this.guarded(() => reader.read())
        if (done) return
        this.count(value.byteLength)
        yield value
      }
    } finally {
      await reader.cancel().catch(() => undefined)
    }
  }

  /**
   * Returns the reason why the call was stopped (its deadline, or a cancel by the agent); `undefined` if it was not.
   */
  stopped(): CallFault | undefined {
    // The deadline timer may be late, since a query in this process may block the thread; so the clock is checked too.
    if (performance.now() >= this.#deadlineMs)
      return new CallFault(
        `The call took longer than the ${this.ceilings.ms} ms that its key may take. Narrow the time range or the filters.`,
      )
    return this.#signal.aborted ? new CallFault('The call was cancelled.') : undefined
  }

  /** Runs one step of a request. Throws CallFault with a readable reason if the step fails. */
  async guarded<T>(step: () => Promise<T>): Promise<T> {
    try {
      const made = await step()
      const stopped = this.stopped()
      if (stopped !== undefined) throw stopped
      return made
    } catch (error) {
      if (error instanceof CallFault) throw error
      const stopped = this.stopped()
      if (stopped !== undefined) throw stopped
      throw new CallFault('The server does not answer. Check its address, then call again.', [
        { message: String(error) },
      ])
    }
  }
}
