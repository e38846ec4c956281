import { type Budget } from '../../base/index.ts'
import type { Segment } from '../../store/index.ts'

/** Work on pieces, in one pass or several, that other threads may take part in. */
export interface OfferedWork {
  /** What helpers do, as plain data; `undefined` where another thread cannot do the same. Asked for once somebody is there to do it. */
  readonly task: () => unknown
  readonly segments: readonly Segment[]
  /** Pieces are numbered from 0; those below `nextPiece` are done. */
  readonly pieceCount: number
  readonly nextPiece: number
  readonly pass: number
  readonly budget: Budget
  /** What all pieces that are left take one thread, milliseconds, as far as it can be told; at least 0. */
  readonly leftMs: number
}

/** What another thread has done in one pass. */
export interface GivenPart {
  readonly pieces: readonly number[]
  /** Plain data; `undefined` when nothing came of it, and its pieces are to be done again. */
  readonly part: unknown
  /** What that took, milliseconds of processor time. */
  readonly workedMs: number
}

/** Work that is under way in several threads. */
export interface SharedWork {
  /** The next piece that no thread has taken in this pass; `undefined` when there is none. */
  next(): number | undefined
  /** What has come in this pass and was not yet asked for. */
  given(): GivenPart | undefined
  /** Whether some thread has taken pieces in this pass and not given what came of them; one that is lost has not. */
  readonly isWaiting: boolean
  /** Takes in what has come and holds this thread until nobody is waited for, but no longer than this. */
  settle(limitMs: number): void
  /** Resolves when something has come or someone is lost. */
  come(): Promise<void>
  /** Begins another pass over all pieces, when nobody is waited for. `told` is plain data. */
  go(pass: number, told: unknown): void
  /** Whatever others still do is of no use any more. */
  end(): void
}

/** Threads that take part in the work of queries. */
export interface Helpers {
  /** Shorter work is not shared, milliseconds; 0 shares all. */
  readonly leastMs: number
  /** How many there are at most. */
  readonly count: number
  /** `undefined` when nobody can help, now or with this. */
  share(work: OfferedWork): SharedWork | undefined
}

/** Helpers that whoever has them ends. */
export interface QueryThreads extends Helpers {
  close(): Promise<void>
}

/** One thread's part in another's work. */
export interface Helping {
  /** Works on pieces until `next` gives none. */
  work(next: () => number | undefined): void
  /** What came of it, as plain data; `undefined` where it cannot be given. */
  give(): unknown
  /** Begins another pass. */
  hear(pass: number, told: unknown): void
  /** Lets go of what it holds. */
  end(): Promise<void>
}
