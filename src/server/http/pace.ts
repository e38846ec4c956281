import { setImmediate } from 'node:timers/promises'
import { TURN_MS } from '../../base/index.ts'

/** Lets other requests have a turn whenever a loop over rows has held the thread for a few milliseconds. */
export class Pace {
  #sinceMs = performance.now()

  /** To be awaited only when it gives a promise: most calls give nothing. */
  turn(): Promise<void> | undefined {
    if (performance.now() - this.#sinceMs < TURN_MS) return undefined
    return setImmediate().then(() => {
      this.#sinceMs = performance.now()
    })
  }
}
