import type { Budget } from '../../../base/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { QueryEnd } from '../query-end.ts'
import type { MorselWork, Parallelism, RemoteResult, SharedMorsels } from './parallelism.ts'
import { MIN_ROWS_PER_GROUP } from '../tuning.ts'

/** The query to which morsels belong. */
export interface MorselQuery {
  readonly parallelism: Parallelism | undefined
  readonly budget: Budget
  readonly end: QueryEnd
}

export interface MorselOptions<Part> extends Pick<MorselWork, 'task' | 'morselCount'> {
  /** Other threads take part only when it is given. */
  readonly query: MorselQuery | undefined
  /** None by default. */
  readonly segments?: (() => readonly Segment[]) | undefined
  /** Whether other threads may compute partial results, as far as is known now; true by default. */
  readonly canShare?: (() => boolean) | undefined
  /** The number of rows so far and of their groups; by default the result has no groups. */
  readonly grouped?: (() => { readonly rows: number; readonly groups: number }) | undefined
  /** See `PartialResult.merge`. */
  readonly merge: (part: Part, remote: RemoteResult) => boolean
  /** When the operator began, in milliseconds; now by default. */
  readonly startMs?: number | undefined
  /** The clock of `startMs`; `performance.now` by default. */
  readonly nowMs?: (() => number) | undefined
}

/**
 * Distributes the morsels of an operator, each once. After `shareAfterMs` idle threads take some of them too. A morsel
 * that another thread took without returning a result is distributed here again.
 */
export class MorselScheduler<Part> {
  readonly #options: MorselOptions<Part>
  readonly #nowMs: () => number
  readonly #startMs: number
  /** One byte for each morsel: 1 when it was computed here or its result was merged. */
  readonly #isDone: Uint8Array
  /** Morsels below this one are done or not wanted. */
  #next = 0
  #mayShare: boolean
  #shared: SharedMorsels | undefined

  constructor(options: MorselOptions<Part>) {
    const { query, morselCount, nowMs = () => performance.now(), startMs = nowMs() } = options
    this.#options = options
    this.#nowMs = nowMs
    this.#startMs = startMs
    this.#isDone = new Uint8Array(morselCount)
    this.#mayShare = query?.parallelism !== undefined
  }

  /**
   * Returns the next morsel that is not below `from`, in ascending order unless other threads take part; `undefined`
   * when all are computed here or merged. May block until other threads have returned their results. Throws like
   * `Budget.checkpoint`.
   */
  next(from = 0): number | undefined {
    this.#next = Math.max(this.#next, from)
    this.#skipDone()
    if (this.#isShareable) this.#share()
    const morsel = this.#shared?.next()
    if (morsel !== undefined) return this.#taken(morsel)
    this.finish()
    this.#skipDone()
    return this.#next < this.#isDone.length ? this.#taken(this.#next) : undefined
  }

  /** Merges the results of other threads; blocks until those that took morsels have returned theirs. */
  finish(): void {
    const shared = this.#shared
    if (shared === undefined) return
    shared.settle()
    for (let remote = shared.received(); remote !== undefined; remote = shared.received()) {
      if (remote.part === undefined || !this.#options.merge(remote.part as Part, remote)) continue
      for (const morsel of remote.morsels) this.#isDone[morsel] = 1
    }
    this.end()
  }

  /** Stops other threads; their results are not merged. */
  end(): void {
    this.#shared?.end()
    this.#shared = undefined
  }

  get #isShareable(): boolean {
    const { query, canShare } = this.#options
    const parallelism = query?.parallelism
    if (!this.#mayShare || parallelism === undefined || this.#isDone.length - this.#next < 2) return false
    const { shareAfterMs } = parallelism
    if (this.#nowMs() - this.#startMs < shareAfterMs || !parallelism.hasIdle || canShare?.() === false) return false
    // Tests share all work.
    return shareAfterMs === 0 || this.#areGroupsFew
  }

  get #areGroupsFew(): boolean {
    const grouped = this.#options.grouped?.()
    return grouped === undefined || (grouped.rows > 0 && grouped.groups * MIN_ROWS_PER_GROUP <= grouped.rows)
  }

  #share(): void {
    this.#mayShare = false
    const { query, task, segments, morselCount } = this.#options
    if (query === undefined) return
    const work = { task, segments: segments?.() ?? [], morselCount, firstMorsel: this.#next, budget: query.budget }
    this.#shared = query.parallelism?.share(work)
    query.end.add(() => this.end())
  }

  #skipDone(): void {
    while (this.#isDone[this.#next] === 1) this.#next++
  }

  #taken(morsel: number): number {
    this.#isDone[morsel] = 1
    return morsel
  }
}
