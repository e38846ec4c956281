import { AskError, cancelled, failureOf } from './ask-error.ts'
import type { AskFailure } from './requests.ts'

/** A message from the page to a worker. */
type Request =
  | { readonly kind: 'call'; readonly id: number; readonly method: string; readonly request: unknown }
  | { readonly kind: 'cancel'; readonly id: number }

/** A message from a worker to the page. */
type Reply =
  | { readonly kind: 'event'; readonly id: number; readonly event: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: AskFailure }

type Handler = (
  request: unknown,
  asking: { readonly signal: AbortSignal; readonly onEvent: (event: unknown) => void },
) => Promise<unknown>

/** One end of a message channel, such as a worker or its global scope. */
interface Port {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
}

/** Answers calls from the page. `handlerOf` returns the method with a name. */
export function serveCalls(port: Port, handlerOf: (method: string) => Handler): void {
  const running = new Map<number, AbortController>()
  port.addEventListener('message', ({ data }: MessageEvent<Request>) => {
    if (data.kind === 'cancel') {
      running.get(data.id)?.abort()
      return
    }
    const { id, method, request } = data
    const controller = new AbortController()
    running.set(id, controller)
    const post = (reply: Reply): void => port.postMessage(reply)
    const asking = {
      signal: controller.signal,
      onEvent: (event: unknown) => post({ kind: 'event', id, event }),
    }
    Promise.resolve()
      .then(() => handlerOf(method)(request, asking))
      .then(
        (answer) => post({ kind: 'answer', id, answer }),
        (error: unknown) =>
          post({ kind: 'failure', id, failure: controller.signal.aborted ? cancelled : failureOf(error) }),
      )
      .finally(() => running.delete(id))
  })
}

interface Pending {
  readonly done: (answer: unknown) => void
  readonly fail: (error: Error) => void
  readonly onEvent: ((event: never) => void) | undefined
}

export interface CallOptions<Event> {
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: ((event: Event) => void) | undefined
}

/** Calls methods in a worker. */
export class RpcCaller {
  readonly #port: Port
  readonly #pending = new Map<number, Pending>()
  #lastId = 0

  constructor(port: Port) {
    this.#port = port
    port.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      const pending = this.#pending.get(data.id)
      if (pending === undefined) return
      if (data.kind === 'event') {
        pending.onEvent?.(data.event as never)
        return
      }
      this.#pending.delete(data.id)
      if (data.kind === 'answer') pending.done(data.answer)
      else pending.fail(new AskError(data.failure))
    })
  }

  /** Calls a method. Rejects with AskError. After `signal` aborts, no more events are delivered. */
  call<Answer, Event = never>(
    method: string,
    request: unknown,
    { signal, onEvent }: CallOptions<Event> = {},
  ): Promise<Answer> {
    if (signal?.aborted === true) return Promise.reject(new AskError(cancelled))
    const id = (this.#lastId += 1)
    return new Promise<Answer>((done, fail) => {
      this.#pending.set(id, { done: done as (answer: unknown) => void, fail, onEvent })
      this.#send({ kind: 'call', id, method, request })
      signal?.addEventListener('abort', () => {
        if (!this.#pending.delete(id)) return
        this.#send({ kind: 'cancel', id })
        fail(new AskError(cancelled))
      })
    })
  }

  #send(request: Request): void {
    // A worker has no origin that could be another one.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#port.postMessage(request)
  }
}
