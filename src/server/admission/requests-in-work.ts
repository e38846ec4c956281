import type { StepwiseTask } from './turns.ts'

const stopped = (): Error => new Error('the server stops')

/** Key of turns for requests whose clients have disconnected. */
const GONE = 'gone'

/** Requests in flight, each with a way to stop it. */
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

  /** Adds a request, also stopped by `parent`; `end` removes it. */
  begin(parent: AbortSignal): { readonly controller: AbortController; readonly end: () => void } {
    const controller = new AbortController()
    const abort = (): void => controller.abort(parent.reason)
    // Hundreds of connections may end at once.
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

  /** Also stops requests that begin later. */
  stopAll(): void {
    this.#isStopped = true
    for (const controller of this.#controllers) controller.abort(stopped())
  }
}
