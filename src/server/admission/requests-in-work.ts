import type { Turns } from './turns.ts'

const stopped = (): Error => new Error('the server stops')

/** Whose turns the ends of requests take that nobody waits for any more. */
const GONE = 'gone'

/** The requests that are being answered, each with the means to stop it. */
export class RequestsInWork {
  readonly #controllers = new Set<AbortController>()
  readonly #turns: Turns
  #isStopped = false

  constructor(turns: Turns) {
    this.#turns = turns
  }

  get count(): number {
    return this.#controllers.size
  }

  /** A new entry, stopped also when `parent` fires; `end` takes it off the list. */
  begin(parent: AbortSignal): { readonly controller: AbortController; readonly end: () => void } {
    const controller = new AbortController()
    const abort = (): void => controller.abort(parent.reason)
    // Hundreds of connections may end at the same moment.
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

  /** Those that begin later are stopped at once. */
  stopAll(): void {
    this.#isStopped = true
    for (const controller of this.#controllers) controller.abort(stopped())
  }
}
