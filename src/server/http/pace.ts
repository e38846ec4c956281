import { setImmediate } from 'node:timers/promises'
import { TURN_MS } from '../../base/index.ts'

/** Yields to other requests when a loop over rows has held the thread for a few ms. */
export class Pace {
  #sinceMs = performance.now()

  /** Await only if it returns a promise; most calls do not. */
  turn(): Promise<void> | undefined {
    if (performance.now() - this.#sinceMs < TURN_MS) return undefined
    return setImmediate().then(() => {
      this.#sinceMs = performance.now()
    })
  }
}
