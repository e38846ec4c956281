import { FairQueue } from '../../workers/index.ts'
import { fault, type HttpFault } from '../errors/http-fault.ts'
import { shareOfKey, type ServerLimits } from '../settings/limits.ts'

type Limits = Pick<ServerLimits, 'runningQueries' | 'waitingQueries' | 'queriesPerKey' | 'waitMs'>

/** Numbers of running and queued queries, in total and of one key. */
export interface QueryLine {
  readonly running: number
  readonly waiting: number
  readonly runningOf: (keyId: string) => number
}

interface Waiting {
  readonly key: string
  readonly admit: () => void
}

export const waitedTooLong = (): HttpFault =>
  fault('busy', { reason: 'the query waited too long for its turn' }, { 'Retry-After': '1' })

/**
 * Limits the number of running and queued queries; further queries get 429. The queue is fair by key: the key that has
 * used the least time is next, and no key can occupy all slots. A query that waits too long gets 503. With workers,
 * only the queue of the workers is used: otherwise a query that waits for a worker would occupy a slot here.
 */
export class Admission {
  readonly #limits: Limits
  readonly #inWork = new Map<string, number>()
  readonly #line = new FairQueue<Waiting>()
  readonly #other: QueryLine | undefined
  readonly #beginRead: (() => () => void) | undefined
  #running = 0

  /**
   * `other` is the queue of the workers, which replaces this queue. `beginRead` is called at the start of a query, and
   * the function that it returns at the end.
   */
  constructor(limits: Limits, other?: QueryLine, beginRead?: () => () => void) {
    this.#limits = limits
    this.#other = other
    this.#beginRead = beginRead
  }

  get running(): number {
    return this.#other?.running ?? this.#running
  }

  get waiting(): number {
    return this.#other?.waiting ?? this.#line.size
  }

  /** Throws 429 if another query of this key would be rejected. Called before the body is read. */
  refuseFull(keyId: string): void {
    const { waitingQueries, queriesPerKey } = this.#limits
    if ((this.#inWork.get(keyId) ?? 0) >= queriesPerKey)
      throw fault('too-many-queries', { limit: queriesPerKey }, { 'Retry-After': '1' })
    if (!this.#hasCapacity(keyId) && this.waiting >= waitingQueries)
      throw fault('line-full', { limit: waitingQueries }, { 'Retry-After': '1' })
  }

  /** Waits for a slot. The returned function must be called when the query has ended; it is idempotent. */
  async enter(keyId: string, signal: AbortSignal): Promise<() => void> {
    this.refuseFull(keyId)
    this.#inWork.set(keyId, (this.#inWork.get(keyId) ?? 0) + 1)
    try {
      if (this.#other === undefined) await this.#turn(keyId, signal)
    } catch (error) {
      this.#leaveKey(keyId)
      throw error
    }
    const startMs = performance.now()
    const endRead = this.#beginRead?.()
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      endRead?.()
      this.#leaveKey(keyId)
      if (this.#other !== undefined) return
      this.#running--
      this.#line.used(keyId, performance.now() - startMs)
      this.#line.end(keyId)
      this.#admit()
    }
  }

  /** True if the key occupies less than its share of the slots, which is at most three of four. */
  #hasCapacity(keyId: string): boolean {
    const { runningQueries } = this.#limits
    const runningOfKey = this.#other?.runningOf(keyId) ?? this.#line.runningOf(keyId)
    return this.running < runningQueries && runningOfKey < shareOfKey(runningQueries)
  }

  #admit(): void {
    for (;;) {
      const next = this.#line.take(({ key }) => this.#hasCapacity(key))
      if (next === undefined) return
      this.#running++
      next.admit()
    }
  }

  #leaveKey(keyId: string): void {
    const left = (this.#inWork.get(keyId) ?? 1) - 1
    if (left === 0) this.#inWork.delete(keyId)
    else this.#inWork.set(keyId, left)
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
      const refuse = (error: HttpFault): void => {
        end()
        this.#line.remove(waiting)
        reject(error)
      }
      const onAbort = (): void => refuse(fault('busy', { reason: 'the request was cancelled' }, { 'Retry-After': '1' }))
      const timer = setTimeout(() => refuse(waitedTooLong()), this.#limits.waitMs)
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) onAbort()
    })
  }
}
