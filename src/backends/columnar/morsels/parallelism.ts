import type { Budget } from '../../../base/index.ts'
import type { Segment } from '../../../store/index.ts'

/** The morsels of one operator, offered to other threads. */
export interface MorselWork {
  /** Plain data from which another thread makes the same operator; `undefined` where it cannot. */
  readonly task: () => unknown
  /** The segments that the task reads. */
  readonly segments: readonly Segment[]
  readonly morselCount: number
  /** Morsels below this one are done. */
  readonly firstMorsel: number
  /** The budget of the query: others stop with it and get a part of its memory. */
  readonly budget: Budget
}

/** A result of another thread. */
export interface RemoteResult {
  readonly morsels: readonly number[]
  /** The exported partial result; `undefined` where there is none, and the morsels are to be done again. */
  readonly part: unknown
  /** Processor time that the thread has used, milliseconds. */
  readonly workedMs: number
}

/** Morsels that several threads take from one counter. */
export interface SharedMorsels {
  /** Takes the next morsel; `undefined` when there is none. */
  next(): number | undefined
  /** A result that has come and was not given yet. */
  received(): RemoteResult | undefined
  /** Blocks until each thread that has taken morsels has given its result or is lost. Throws as `Budget.checkpoint`. */
  settle(): void
  /** Stops the other threads. May be called twice. */
  end(): void
}

/** Threads that take morsels of this thread's queries. */
export interface Parallelism {
  /** Time that an operator runs alone before its morsels are offered, milliseconds. */
  readonly shareAfterMs: number
  /** Whether some thread could take morsels now. */
  readonly hasIdle: boolean
  /** `undefined` where no other thread can do this work. */
  share(work: MorselWork): SharedMorsels | undefined
}

/** An operator whose result over some of the rows can be computed by another thread. */
export interface PartialResult<Part> {
  /** Plain data of what was computed here; `undefined` where another thread could not merge it exactly. */
  export(): Part | undefined
  /** Adds what another thread exported; false where it does not fit, and its morsels are to be done again. */
  merge(part: Part, morsels: readonly number[]): boolean
}

/** An operator of another thread's query. */
export interface MorselJob {
  /** Computes morsels until `next` gives none. */
  run(next: () => number | undefined): void
  /** As `PartialResult.export`. */
  export(): unknown
  /** Frees what it holds. */
  end(): Promise<void>
}
