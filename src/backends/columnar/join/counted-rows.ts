import { SluiceError, budgetDiagnostic, type Budget } from '../../../base/index.ts'
import type { Join } from '../../../plan/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import type { Frame } from '../frame.ts'
import type { RightSide } from './right-side.ts'

/** Fewer pairs than this are not counted in advance, because making them takes little time. */
const FEW_PAIRS = 2 ** 26
/** Upper bound of the pairs that any machine makes and reads in one millisecond. */
const PAIRS_A_MS = 500_000
/** Left rows that are held while their pairs are counted may use 1/8 of the query's memory. */
const WAITING_SHARE = 8

/** Returns an upper bound of the number of pairs that can be made and read in the remaining time. */
function mostPairsOf({ remainingMs }: Budget): number {
  return PAIRS_A_MS * remainingMs
}

/** True if this many left rows with keys certainly make so few pairs that they need not be counted in advance. */
export function areFewPairs(leftRows: number, right: RightSide): boolean {
  return leftRows * right.mostRowsOfKey(false) <= FEW_PAIRS
}

/**
 * A frame of left rows with the key number of each row. Without key numbers, each left row is paired with every right
 * row. The key numbers are valid until the next frame is requested.
 */
export interface NumberedFrame {
  readonly frame: Frame
  readonly numbers: Uint32Array | undefined
}

/**
 * Delivers the left frames of a join whose pairs will all be read. If there may be many pairs, it holds the frames
 * until all pairs are counted. If there are too many for the remaining time, the query fails.
 */
export class CountedRows {
  readonly #node: Join
  readonly #right: RightSide
  readonly #budget: Budget
  readonly #charge: MemoryReservation
  /** Reads the next left frame. */
  readonly #frames: () => NumberedFrame | 'again' | undefined
  readonly #waiting: NumberedFrame[] = []
  #waitingBytes = 0
  #pairs = 0
  /** Upper bound of the pairs of all rows so far; used until pairs are counted exactly. */
  #mostPairs = 0
  #state: 'few' | 'counting' | 'too-many' | 'counted' = 'few'

  constructor(node: Join, right: RightSide, budget: Budget, frames: () => NumberedFrame | 'again' | undefined) {
    this.#node = node
    this.#right = right
    this.#budget = budget
    this.#charge = new MemoryReservation(budget)
    this.#frames = frames
  }

  /**
   * Returns the next frame to pair; `'again'` after work without a frame; `undefined` at the end. Throws `budget/pairs`
   * when there are too many pairs for the remaining time.
   */
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

  /** Returns the frame while the upper bound of pairs is small; otherwise begins to count pairs exactly. */
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
