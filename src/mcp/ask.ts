import type { AgentCaller } from '../server/index.ts'
import { CallFault } from './fault.ts'
import type { Ceilings } from './limits.ts'

/**
 * Sends one request of the HTTP API with the key of the caller; `path` begins with `/`. A server, its own process or
 * another machine answers: what the caller may see is decided there.
 */
export type Ask = AgentCaller['ask']

export interface Question {
  readonly path: string
  /** JSON of a POST, or a form; without one the request is a GET. */
  readonly body?: object | URLSearchParams
  readonly accept?: string
}

interface ErrorBody {
  readonly message?: string
  readonly error?: string
  readonly details?: { readonly diagnostics?: readonly object[] }
}

/** Sentences for statuses that say more than that the request was wrong. */
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
    // A proxy answers in its own words.
    body = { message: text }
  }
  const { message, error, details } = body
  const told = details?.diagnostics ?? []
  return new CallFault(
    refusals.get(response.status) ?? REFUSED,
    told.length > 0 ? told : [{ message: message ?? error }],
  )
}

/** The requests of one call, counted against the ceilings of its key. */
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

  /** Counts bytes that arrived, beside `readBytes` from storage. Throws CallFault above the ceiling. */
  count(bytes: number, readBytes = 0): void {
    this.#receivedBytes += bytes
    const { bytes: ceiling } = this.ceilings
    if (this.#receivedBytes + readBytes > ceiling)
      throw new CallFault(
        `The call read more than the ${ceiling} bytes that its key may read. Narrow the time range or the filters, or select fewer fields.`,
      )
  }

  /** The answer with status 200. Throws CallFault for any other, for an end of the time, and without a server. */
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

  /** The text of an answer. Throws as `response` does, and above the ceiling of bytes. */
  async text(question: Question): Promise<string> {
    const response = await this.response(question)
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of this.chunks(response)) text += decoder.decode(chunk, { stream: true })
    return text + decoder.decode()
  }

  /** The JSON of an answer; throws as `text` does. */
  async json<T>(question: Question): Promise<T> {
    return JSON.parse(await this.text(question)) as T
  }

  /** The bytes of an answer as they arrive; leaving the loop ends the request. */
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

  /** Why the call was stopped, if it was: after the time of its key, or by the agent. */
  stopped(): CallFault | undefined {
    // The clock counts too: a run in process may hold the thread on which the timer would fire.
    if (performance.now() >= this.#deadlineMs)
      return new CallFault(
        `The call took longer than the ${this.ceilings.ms} ms that its key may take. Narrow the time range or the filters.`,
      )
    return this.#signal.aborted ? new CallFault('The call was cancelled.') : undefined
  }

  /** Runs one step of a request; says why it did not end. */
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
