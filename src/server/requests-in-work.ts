/** The requests that are being answered, each with the means to stop it. */
export class RequestsInWork {
  readonly #controllers = new Set<AbortController>()

  get count(): number {
    return this.#controllers.size
  }

  /** A new entry, stopped also when `parent` fires; `end` takes it off the list. */
  begin(parent: AbortSignal): { readonly controller: AbortController; readonly end: () => void } {
    const controller = new AbortController()
    const onAbort = (): void => controller.abort(parent.reason)
    if (parent.aborted) onAbort()
    else parent.addEventListener('abort', onAbort, { once: true })
    this.#controllers.add(controller)
    const end = (): void => {
      parent.removeEventListener('abort', onAbort)
      this.#controllers.delete(controller)
    }
    return { controller, end }
  }

  stopAll(): void {
    for (const controller of this.#controllers) controller.abort(new Error('the server stops'))
  }
}
