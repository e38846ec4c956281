import { setImmediate } from 'node:timers/promises'
import { TURN_MS } from '../../base/index.ts'

/** Makes a loop over rows yield to other requests when it has occupied the thread for a few ms. */
export class Pace {
  #sinceMs = performance.now()

  /** Called in each iteration. The caller awaits the result only if it is a promise, which it rarely is. */
  turn(): Promise<void> | undefined {
    if (performance.now() - this.#sinceMs < TURN_MS) return undefined
    return setImmediate().then(() => {
      this.#sinceMs = performance.now()
    })
  }
}
