import { setImmediate } from 'node:timers/promises'

const MAX_BLOCK_MS = 8

/** Lets other requests have a turn whenever a loop over rows has held the thread for a few milliseconds. */
export class Pace {
  #sinceMs = performance.now()

  /** To be awaited only when it gives a promise: most calls give nothing. */
  turn(): Promise<void> | undefined {
    if (performance.now() - this.#sinceMs < MAX_BLOCK_MS) return undefined
    return setImmediate().then(() => {
      this.#sinceMs = performance.now()
    })
  }
}
