import { BUDGET_WATCH_MS, type Budget } from '../../base/index.ts'

/**
 * The promises for which a query waits. An operator whose rows come from outside adds a promise here and returns
 * `again`.
 */
export class PendingReads {
  readonly #pending = new Set<Promise<unknown>>()

  add(promise: Promise<unknown>): void {
    const done = (): void => void this.#pending.delete(promise)
    this.#pending.add(promise)
    promise.then(done, done)
  }

  get isEmpty(): boolean {
    return this.#pending.size === 0
  }

  /**
   * Waits until one of the promises has settled. Throws `budget/cancelled` or `budget/deadline` when the query ends
   * first.
   */
  async any(budget: Budget): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const count = this.#pending.size
    while (this.#pending.size === count) {
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, BUDGET_WATCH_MS)
      })
      await Promise.race([...this.#pending, timeout]).catch(() => undefined)
      clearTimeout(timer)
      budget.checkpoint()
    }
  }
}
