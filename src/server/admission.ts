import { fault } from './http-fault.ts'
import type { ServerLimits } from './limits.ts'

type Limits = Pick<ServerLimits, 'runningQueries' | 'waitingQueries' | 'queriesPerKey' | 'waitMs'>

interface Waiting {
  readonly admit: () => void
}

/**
 * Lets a bounded number of queries run, has a bounded number wait in line, and refuses the rest at once: 429 to a key
 * that has too many in work, 503 to everybody when the line is full or the wait too long.
 */
export class Admission {
  readonly #limits: Limits
  readonly #perKey = new Map<string, number>()
  readonly #line: Waiting[] = []
  #running = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#line.length
  }

  /** Waits for a turn; call what it gives when the query has ended. Calling it again does nothing. */
  async enter(keyId: string, signal: AbortSignal): Promise<() => void> {
    const { runningQueries, waitingQueries, queriesPerKey, waitMs } = this.#limits
    const ofKey = this.#perKey.get(keyId) ?? 0
    if (ofKey >= queriesPerKey) throw fault('too-many-queries', { limit: queriesPerKey }, { 'Retry-After': '1' })
    if (this.#running >= runningQueries) {
      if (this.#line.length >= waitingQueries)
        throw fault('busy', { reason: 'too many queries are waiting' }, { 'Retry-After': '1' })
      this.#perKey.set(keyId, ofKey + 1)
      try {
        await this.#wait(waitMs, signal)
      } catch (error) {
        this.#leaveKey(keyId)
        throw error
      }
    } else {
      this.#perKey.set(keyId, ofKey + 1)
      this.#running++
    }
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      this.#leaveKey(keyId)
      const next = this.#line.shift()
      // The place is handed on, not given up and taken again: nobody can step in between.
      if (next === undefined) this.#running--
      else next.admit()
    }
  }

  #leaveKey(keyId: string): void {
    const left = (this.#perKey.get(keyId) ?? 1) - 1
    if (left === 0) this.#perKey.delete(keyId)
    else this.#perKey.set(keyId, left)
  }

  #wait(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        const index = this.#line.indexOf(waiting)
        if (index !== -1) this.#line.splice(index, 1)
      }
      const waiting: Waiting = {
        admit: () => {
          end()
          resolve()
        },
      }
      const refuse = (reason: string): void => {
        end()
        reject(fault('busy', { reason }, { 'Retry-After': '1' }))
      }
      const onAbort = (): void => refuse('the request was cancelled')
      const timer = setTimeout(() => refuse('the query waited too long for its turn'), waitMs)
      signal.addEventListener('abort', onAbort, { once: true })
      this.#line.push(waiting)
      if (signal.aborted) onAbort()
    })
  }
}
