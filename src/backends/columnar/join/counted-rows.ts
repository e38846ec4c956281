import { SluiceError, budgetDiagnostic, type Budget } from '../../../base/index.ts'
import type { Join } from '../../../plan/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import type { Frame } from '../frame.ts'
import type { RightSide } from './right-side.ts'

/** The number of pairs below which none are counted; making them takes less than a second. */
const FEW_PAIRS = 2 ** 26
/** More pairs than any machine makes and reads in a millisecond; one core of 2026 counts 200,000 to 400,000. */
const PAIRS_A_MS = 500_000
/** The share of the query's memory, as a divisor, for left rows that wait for their count. */
const WAITING_SHARE = 8

/** Returns more pairs than can be read in the remaining time. */
function mostPairsOf({ remainingMs }: Budget): number {
  return PAIRS_A_MS * remainingMs
}

/** Whether this many left rows with keys give so few pairs, whatever the keys, that none are counted. */
export function areFewPairs(leftRows: number, right: RightSide): boolean {
  return leftRows * right.mostRowsOfKey(false) <= FEW_PAIRS
}

/**
 * A frame of left rows with the numbers of their keys, valid until the next frame is requested; without numbers every
 * row is paired with every other.
 */
export interface NumberedFrame {
  readonly frame: Frame
  readonly numbers: Uint32Array | undefined
}

/**
 * Left rows before they are paired, when all pairs will be read. When there may be many, frames are held back until
 * their pairs are counted, and the query ends here if they are more than it has time for.
 */
export class CountedRows {
  readonly #node: Join
  readonly #right: RightSide
  readonly #budget: Budget
  readonly #charge: MemoryReservation
  /** Returns the next left frames. */
  readonly #frames: () => NumberedFrame | 'again' | undefined
  readonly #waiting: NumberedFrame[] = []
  #waitingBytes = 0
  #pairs = 0
  /** An upper bound of `#pairs` for rows that were not counted. */
  #mostPairs = 0
  #state: 'few' | 'counting' | 'too-many' | 'counted' = 'few'

  constructor(node: Join, right: RightSide, budget: Budget, frames: () => NumberedFrame | 'again' | undefined) {
    this.#node = node
    this.#right = right
    this.#budget = budget
    this.#charge = new MemoryReservation(budget)
    this.#frames = frames
  }

  /** Returns the next frame to pair. Throws `budget/pairs`. */
  next(): NumberedFrame | 'again' | undefined {
    if (this.#state === 'counted') {
      const first = this.#waiting.shift()
      if (first !== undefined) this.#hold(-bytesOf(first))
      return first ?? this.#frames()
    }
    const next = this.#frames()
    if (next === 'again') return next
    if (next === undefined) {
      if (this.#state === 'too-many') this.#refuse()
      this.#state = 'counted'
      return 'again'
    }
    return this.#state === 'few' ? this.#early(next) : this.#count(next)
  }

  /** Returns a frame for which an upper bound is enough. */
  #early(next: NumberedFrame): NumberedFrame | 'again' {
    this.#mostPairs += next.frame.rowCount * this.#right.mostRowsOfKey(next.numbers === undefined)
    if (this.#mostPairs <= FEW_PAIRS) return next
    this.#state = 'counting'
    return this.#count(next)
  }

  #count(next: NumberedFrame): 'again' {
    this.#pairs += pairsOf(next, this.#right)
    if (this.#state === 'counting' && this.#pairs > mostPairsOf(this.#budget)) {
      this.#state = 'too-many'
      this.#waiting.length = 0
      this.#hold(-this.#waitingBytes)
    }
    if (this.#state === 'too-many') return 'again'
    this.#waiting.push({ frame: next.frame, numbers: next.numbers?.slice() })
    this.#hold(bytesOf(next))
    if (this.#waitingBytes * WAITING_SHARE > this.#budget.limits.memoryBytes) this.#state = 'counted'
    return 'again'
  }

  #hold(bytes: number): void {
    this.#waitingBytes += bytes
    this.#charge.set(this.#waitingBytes)
  }

  #refuse(): never {
    const { timeoutMs } = this.#budget.limits
    throw new SluiceError([budgetDiagnostic('pairs', { pairs: this.#pairs, timeoutMs }, this.#node.origin)])
  }
}

function bytesOf({ frame, numbers }: NumberedFrame): number {
  return frame.memoryBytes + (numbers?.byteLength ?? 0)
}

function pairsOf({ frame, numbers }: NumberedFrame, right: RightSide): number {
  return numbers === undefined ? frame.rowCount * right.frame.rowCount : right.countPairs(numbers)
}
