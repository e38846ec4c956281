import type { Budget } from '../../../base/index.ts'
import type { Segment } from '../../../store/index.ts'

/** The morsels of one operator (ranges of its input), offered to other threads. */
export interface MorselWork {
  /** Returns plain data from which another thread makes the same operator; `undefined` when that is impossible. */
  readonly task: () => unknown
  /** The segments that the task reads. */
  readonly segments: readonly Segment[]
  readonly morselCount: number
  /** The first offered morsel; all morsels before it are done. */
  readonly firstMorsel: number
  /** The budget of the query. Other threads stop when it is exhausted or cancelled, and use a part of its memory. */
  readonly budget: Budget
}

/** The result of another thread for the morsels that it computed. */
export interface RemoteResult {
  readonly morsels: readonly number[]
  /** The exported partial result; `undefined` if the thread has none, and its morsels must be computed again. */
  readonly partial: unknown
  /** The processor time in milliseconds that the thread has used. */
  readonly workedMs: number
}

/** Offered morsels, which several threads take from one shared counter. */
export interface SharedMorsels {
  /** Takes the next morsel for this thread; `undefined` if none is left. */
  next(): number | undefined
  /** Returns a result that has arrived from another thread, each result once; `undefined` if there is none. */
  received(): RemoteResult | undefined
  /** Blocks until every thread that took morsels has returned its result or failed. Throws like `Budget.checkpoint`. */
  settle(): void
  /** Stops the other threads' work on these morsels. May be called twice. */
  end(): void
}

/** The threads that can compute morsels of this thread's queries. */
export interface Parallelism {
  /** Milliseconds for which an operator runs alone before its morsels are offered. */
  readonly shareAfterMs: number
  /** True if at least one thread is idle now and could take morsels. */
  readonly hasIdle: boolean
  /** Offers the morsels of an operator to other threads. Returns `undefined` when no thread can take them. */
  share(work: MorselWork): SharedMorsels | undefined
}

/** An operator that several threads can run, each for some of the rows, and whose partial results can be merged. */
export interface PartialResult<Exported> {
  /** Returns the result so far as plain data; `undefined` when another thread could not merge it exactly. */
  export(): Exported | undefined
  /**
   * Merges the exported result of another thread for these morsels. Returns false when the data do not fit; the morsels
   * must then be computed again.
   */
  merge(partial: Exported, morsels: readonly number[]): boolean
}

/** An operator that computes morsels for another thread's query. */
export interface MorselJob {
  /** Computes morsels until `next` returns `undefined`. */
  run(next: () => number | undefined): void
  /** Returns the result so far as plain data for the requesting thread (see `PartialResult.export`). */
  export(): unknown
  /** Releases all resources of the job. */
  end(): Promise<void>
}
