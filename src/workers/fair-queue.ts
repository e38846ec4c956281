/** An entry that waits in the queue. */
export interface Queued {
  readonly key: string
}

interface KeyState<J> {
  readonly waiting: J[]
  running: number
  /** Milliseconds of work done for the key. A new key starts at the level of the key that was served last. */
  usedMs: number
}

/**
 * A queue of jobs by key. The key that has used the least work is served first, so the hundredth job of one key waits
 * behind the first job of another.
 */
export class FairQueue<J extends Queued> {
  readonly #keys = new Map<string, KeyState<J>>()
  #size = 0
  /**
   * The used work of the key that was served last. New keys start at this value, so they get no credit for the time
   * before.
   */
  #usedMs = 0

  get size(): number {
    return this.#size
  }

  push(job: J): void {
    this.#stateOf(job.key).waiting.push(job)
    this.#size++
  }

  /** Puts a job back to the head of its key's queue. */
  pushFirst(job: J): void {
    this.#stateOf(job.key).waiting.unshift(job)
    this.#size++
  }

  /**
   * Removes and returns the first job in fair order that `accepts` allows. When it refuses the first job of a key, the
   * next key is tried.
   */
  take(accepts: (job: J) => boolean): J | undefined {
    if (this.#size === 0) return undefined
    const inTurn = [...this.#keys.values()]
      .filter(({ waiting }) => waiting.length > 0)
      .toSorted((a, b) => a.usedMs - b.usedMs || a.running - b.running)
    for (const state of inTurn) {
      const [job] = state.waiting
      if (job === undefined || !accepts(job)) continue
      state.waiting.shift()
      this.#size--
      state.running++
      this.#usedMs = Math.max(this.#usedMs, state.usedMs)
      return job
    }
    return undefined
  }

  /** Removes a waiting job; returns false when it is not in the queue. */
  remove(job: J): boolean {
    const state = this.#keys.get(job.key)
    const at = state?.waiting.indexOf(job) ?? -1
    if (state === undefined || at === -1) return false
    state.waiting.splice(at, 1)
    this.#size--
    this.#forgetIdle(job.key, state)
    return true
  }

  /** Returns the number of a key's jobs that wait or run. */
  countOf(key: string): number {
    const state = this.#keys.get(key)
    return state === undefined ? 0 : state.waiting.length + state.running
  }

  /** Returns the number of a key's jobs that were taken and still run. */
  runningOf(key: string): number {
    return this.#keys.get(key)?.running ?? 0
  }

  /** Records milliseconds of work for a job that was taken. */
  used(key: string, ms: number): void {
    const state = this.#keys.get(key)
    if (state !== undefined) state.usedMs += ms
  }

  /** Marks a running job of the key as ended. */
  end(key: string): void {
    const state = this.#keys.get(key)
    if (state === undefined) return
    state.running--
    this.#forgetIdle(key, state)
  }

  toArray(): J[] {
    return [...this.#keys.values()].flatMap(({ waiting }) => waiting)
  }

  #forgetIdle(key: string, state: KeyState<J>): void {
    if (state.running === 0 && state.waiting.length === 0) this.#keys.delete(key)
  }

  #stateOf(key: string): KeyState<J> {
    let state = this.#keys.get(key)
    if (state === undefined) this.#keys.set(key, (state = { waiting: [], running: 0, usedMs: this.#usedMs }))
    return state
  }
}
