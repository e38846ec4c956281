import type { StepwiseTask } from './turns.ts'

const stopped = (): Error => new Error('the server stops')

/** Scheduling key for requests whose clients have disconnected. */
const GONE = 'gone'

/** Requests in flight, each of which can be cancelled. */
export class RequestsInWork {
  readonly #controllers = new Set<AbortController>()
  readonly #turns: StepwiseTask
  #isStopped = false

  constructor(turns: StepwiseTask) {
    this.#turns = turns
  }

  get count(): number {
    return this.#controllers.size
  }

  /** Adds a request. The abort of `parent` cancels the request too. `end` removes it. */
  begin(parent: AbortSignal): { readonly controller: AbortController; readonly end: () => void } {
    const controller = new AbortController()
    const abort = (): void => controller.abort(parent.reason)
    // Requests are cancelled one by one through the scheduler, since hundreds of connections may end at once.
    const onAbort = (): void => {
      const turn = this.#turns.turn(GONE)
      if (turn === undefined) abort()
      else void turn.then(abort)
    }
    if (this.#isStopped) controller.abort(stopped())
    else if (parent.aborted) abort()
    else parent.addEventListener('abort', onAbort, { once: true })
    this.#controllers.add(controller)
    const end = (): void => {
      parent.removeEventListener('abort', onAbort)
      this.#controllers.delete(controller)
    }
    return { controller, end }
  }

  /** Cancels all requests, including those that begin later. */
  stopAll(): void {
    this.#isStopped = true
    for (const controller of this.#controllers) controller.abort(stopped())
  }
}
