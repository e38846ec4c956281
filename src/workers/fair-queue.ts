/** Who waits for a turn. */
export interface Queued {
  readonly key: string
}

interface KeyState<J> {
  readonly waiting: J[]
  running: number
  /** Milliseconds of work that it has had, counted from where the others stood when it came. */
  usedMs: number
}

/** Jobs in line, by key: the key that has had the least work goes first, so the hundredth of one waits behind the first of another. */
export class FairQueue<J extends Queued> {
  readonly #keys = new Map<string, KeyState<J>>()
  #size = 0
  /** Where the key stood that was served last: newcomers begin there, since what they did not use before is gone. */
  #usedMs = 0

  get size(): number {
    return this.#size
  }

  push(job: J): void {
    this.#stateOf(job.key).waiting.push(job)
    this.#size++
  }

  /** Back to the head of its key's line. */
  pushFirst(job: J): void {
    this.#stateOf(job.key).waiting.unshift(job)
    this.#size++
  }

  /** Takes the first job, in turn, that `accepts`; one of a key that does not fit leaves the turn to the next key. */
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

  /** Takes a job out of the line; false when it is not in it. */
  remove(job: J): boolean {
    const state = this.#keys.get(job.key)
    const at = state?.waiting.indexOf(job) ?? -1
    if (state === undefined || at === -1) return false
    state.waiting.splice(at, 1)
    this.#size--
    this.#forgetIdle(job.key, state)
    return true
  }

  /** How many of a key wait or run. */
  countOf(key: string): number {
    const state = this.#keys.get(key)
    return state === undefined ? 0 : state.waiting.length + state.running
  }

  /** How many of a key were taken and run. */
  runningOf(key: string): number {
    return this.#keys.get(key)?.running ?? 0
  }

  /** A job that was taken has had so much work. */
  used(key: string, ms: number): void {
    const state = this.#keys.get(key)
    if (state !== undefined) state.usedMs += ms
  }

  /** A job that was taken runs no more. */
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
