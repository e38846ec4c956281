import type { Budget } from '../../../base/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { QueryEnd } from '../query-end.ts'
import type { MorselWork, Parallelism, RemoteResult, SharedMorsels } from './parallelism.ts'
import { MIN_ROWS_PER_GROUP } from '../tuning.ts'

/** The query to which the morsels belong, with the threads that may compute them. */
export interface MorselQuery {
  readonly parallelism: Parallelism | undefined
  readonly budget: Budget
  readonly end: QueryEnd
}

export interface MorselOptions<Exported> extends Pick<MorselWork, 'task' | 'morselCount'> {
  /** The query for which other threads may compute morsels. Without it, this thread computes all morsels. */
  readonly query: MorselQuery | undefined
  /** Returns the segments that the task reads; none by default. */
  readonly segments?: (() => readonly Segment[]) | undefined
  /** True if partial results of other threads can be merged, as far as is known now; true by default. */
  readonly canShare?: (() => boolean) | undefined
  /** Returns the number of rows so far and the number of their groups. Omitted if the result has no groups. */
  readonly grouped?: (() => { readonly rows: number; readonly groups: number }) | undefined
  /** Merges the exported result of another thread; returns false when it does not fit (see `PartialResult.merge`). */
  readonly merge: (partial: Exported, remote: RemoteResult) => boolean
  /** The time at which the operator began, in milliseconds of `nowMs`; now by default. */
  readonly startMs?: number | undefined
  /** Returns the current time for comparison with `startMs`; `performance.now` by default. */
  readonly nowMs?: (() => number) | undefined
}

/**
 * Distributes the morsels of an operator (numbered parts of its input), each once. After `shareAfterMs` it offers the
 * remaining ones to idle threads as well. If a thread took a morsel but returned no result, this thread computes the
 * morsel.
 */
export class MorselScheduler<Exported> {
  readonly #options: MorselOptions<Exported>
  readonly #nowMs: () => number
  readonly #startMs: number
  /** One byte for each morsel: 1 if this thread has computed it or merged its result. */
  readonly #isDone: Uint8Array
  /** The first morsel that may not be computed yet. */
  #next = 0
  #mayShare: boolean
  #shared: SharedMorsels | undefined

  constructor(options: MorselOptions<Exported>) {
    const { query, morselCount, nowMs = () => performance.now(), startMs = nowMs() } = options
    this.#options = options
    this.#nowMs = nowMs
    this.#startMs = startMs
    this.#isDone = new Uint8Array(morselCount)
    this.#mayShare = query?.parallelism !== undefined
  }

  /**
   * Returns the next morsel for this thread, at or after `from`; `undefined` when all morsels are computed or merged.
   * Morsels ascend unless other threads take part. May block until other threads have returned their results. Throws
   * like `Budget.checkpoint`.
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

  /** Blocks until all threads that took morsels have returned their results, and merges the results. */
  finish(): void {
    const shared = this.#shared
    if (shared === undefined) return
    shared.settle()
    for (let remote = shared.received(); remote !== undefined; remote = shared.received()) {
      if (remote.partial === undefined || !this.#options.merge(remote.partial as Exported, remote)) continue
      for (const morsel of remote.morsels) this.#isDone[morsel] = 1
    }
    this.end()
  }

  /** Stops the other threads and discards their results. */
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
    // Tests set `shareAfterMs` to 0, which shares all work.
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
