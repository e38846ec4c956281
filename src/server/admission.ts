import { FairQueue } from '../workers/index.ts'
import { fault } from './http-fault.ts'
import { shareOfKey, type ServerLimits } from './limits.ts'

type Limits = Pick<ServerLimits, 'runningQueries' | 'waitingQueries' | 'queriesPerKey' | 'waitMs'>

interface Waiting {
  readonly key: string
  readonly admit: () => void
}

/**
 * Lets a bounded number of queries run, has a bounded number wait in line, and refuses the rest at once with 429. The line is
 * one by key: who has had the least time goes first, and no key has all the places. Who waits too long gets 503.
 */
export class Admission {
  readonly #limits: Limits
  readonly #perKey = new Map<string, { inWork: number; running: number }>()
  readonly #line = new FairQueue<Waiting>()
  #running = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#line.size
  }

  /** Throws 429 when one more query of this key would be refused: to be asked before its body is read. */
  refuseFull(keyId: string): void {
    const { waitingQueries, queriesPerKey } = this.#limits
    const { inWork = 0, running = 0 } = this.#perKey.get(keyId) ?? {}
    if (inWork >= queriesPerKey) throw fault('too-many-queries', { limit: queriesPerKey }, { 'Retry-After': '1' })
    if (!this.#hasPlace(running) && this.#line.size >= waitingQueries)
      throw fault('line-full', { limit: waitingQueries }, { 'Retry-After': '1' })
  }

  /** Waits for a turn; call what it gives when the query has ended. Calling it again does nothing. */
  async enter(keyId: string, signal: AbortSignal): Promise<() => void> {
    this.refuseFull(keyId)
    const ofKey = this.#perKey.get(keyId) ?? { inWork: 0, running: 0 }
    ofKey.inWork++
    this.#perKey.set(keyId, ofKey)
    try {
      await this.#turn(keyId, signal)
    } catch (error) {
      this.#leaveKey(keyId)
      throw error
    }
    const startMs = performance.now()
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      this.#running--
      ofKey.running--
      this.#line.used(keyId, performance.now() - startMs)
      this.#line.end(keyId)
      this.#leaveKey(keyId)
      this.#admit()
    }
  }

  /** One place in four is kept for other keys than the one that has the rest. */
  #hasPlace(runningOfKey: number): boolean {
    const { runningQueries } = this.#limits
    return this.#running < runningQueries && runningOfKey < shareOfKey(runningQueries)
  }

  #admit(): void {
    for (;;) {
      const next = this.#line.take(({ key }) => this.#hasPlace(this.#perKey.get(key)?.running ?? 0))
      if (next === undefined) return
      this.#running++
      const ofKey = this.#perKey.get(next.key)
      if (ofKey !== undefined) ofKey.running++
      next.admit()
    }
  }

  #leaveKey(keyId: string): void {
    const ofKey = this.#perKey.get(keyId)
    if (ofKey !== undefined && --ofKey.inWork === 0) this.#perKey.delete(keyId)
  }

  #turn(key: string, signal: AbortSignal): Promise<void> | undefined {
    let isIn = false
    const waiting: { key: string; admit: () => void } = { key, admit: () => (isIn = true) }
    this.#line.push(waiting)
    if (!signal.aborted) this.#admit()
    if (isIn) return undefined
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      waiting.admit = () => {
        end()
        resolve()
      }
      const refuse = (reason: string): void => {
        end()
        this.#line.remove(waiting)
        reject(fault('busy', { reason }, { 'Retry-After': '1' }))
      }
      const onAbort = (): void => refuse('the request was cancelled')
      const timer = setTimeout(() => refuse('the query waited too long for its turn'), this.#limits.waitMs)
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) onAbort()
    })
  }
}
