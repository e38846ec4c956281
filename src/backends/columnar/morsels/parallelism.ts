import type { Budget } from '../../../base/index.ts'
import type { Segment } from '../../../store/index.ts'

/** The morsels of one operator that are offered to other threads. */
export interface MorselWork {
  /** Returns plain data from which another thread makes the same operator; `undefined` when it cannot. */
  readonly task: () => unknown
  /** The segments that the task reads. */
  readonly segments: readonly Segment[]
  readonly morselCount: number
  /** Morsels below this one are done. */
  readonly firstMorsel: number
  /** The budget of the query. Other threads stop with it and get a part of its memory. */
  readonly budget: Budget
}

/** A result of another thread. */
export interface RemoteResult {
  readonly morsels: readonly number[]
  /** The exported partial result; `undefined` when there is none and its morsels must be computed again. */
  readonly part: unknown
  /** Processor milliseconds that the thread has used. */
  readonly workedMs: number
}

/** Morsels that several threads take from one counter. */
export interface SharedMorsels {
  /** Takes the next morsel; `undefined` when there is none. */
  next(): number | undefined
  /** Returns a result that has arrived and was not returned before. */
  received(): RemoteResult | undefined
  /** Blocks until each thread that took morsels has returned its result or failed. Throws like `Budget.checkpoint`. */
  settle(): void
  /** Stops the other threads. May be called twice. */
  end(): void
}

/** Threads that compute morsels of this thread's queries. */
export interface Parallelism {
  /** Milliseconds for which an operator runs alone before its morsels are offered. */
  readonly shareAfterMs: number
  /** Whether some thread could take morsels now. */
  readonly hasIdle: boolean
  /** Returns `undefined` when no other thread can do this work. */
  share(work: MorselWork): SharedMorsels | undefined
}

/** An operator whose result over some of the rows can be computed by another thread. */
export interface PartialResult<Part> {
  /** Returns plain data of the result so far; `undefined` when another thread could not merge it exactly. */
  export(): Part | undefined
  /** Adds what another thread exported; returns false when it does not fit, and its morsels must be computed again. */
  merge(part: Part, morsels: readonly number[]): boolean
}

/** An operator of another thread's query. */
export interface MorselJob {
  /** Computes morsels until `next` returns none. */
  run(next: () => number | undefined): void
  /** See `PartialResult.export`. */
  export(): unknown
  /** Releases what it holds. */
  end(): Promise<void>
}
