const stopped = (): Error => new Error('the server stops')

/** The requests that are being answered, each with the means to stop it. */
export class RequestsInWork {
  readonly #controllers = new Set<AbortController>()
  #isStopped = false

  get count(): number {
    return this.#controllers.size
  }

  /** A new entry, stopped also when `parent` fires; `end` takes it off the list. */
  begin(parent: AbortSignal): { readonly controller: AbortController; readonly end: () => void } {
    const controller = new AbortController()
    const onAbort = (): void => controller.abort(parent.reason)
    if (this.#isStopped) controller.abort(stopped())
    else if (parent.aborted) onAbort()
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
