import { SluiceError, budgetDiagnostic, type Budget } from '../../../base/index.ts'
import type { Join } from '../../../plan/index.ts'
import { Charge } from '../charge.ts'
import type { Frame } from '../frame.ts'
import type { RightSide } from './right-side.ts'

/** Fewer pairs are made at once: that takes less than a second. */
const FEW_PAIRS = 2 ** 26
/** More than any machine makes and looks at in a millisecond: one core of 2026 counts 200,000 to 400,000. */
const PAIRS_A_MS = 500_000
/** The share of the query's memory that left rows may take while they wait for their count. */
const WAITING_SHARE = 8

/** More pairs than that cannot be read in the time that is left. */
function mostPairsOf({ remainingMs }: Budget): number {
  return PAIRS_A_MS * remainingMs
}

/** Whether so many left rows with keys are in so few pairs, whatever the keys, that none are counted. */
export function areFewPairs(leftRows: number, right: RightSide): boolean {
  return leftRows * right.mostRowsOfKey(false) <= FEW_PAIRS
}

/** A frame of left rows and the numbers of their keys, which stay until the next frame is asked for; none where every row goes with every other. */
export interface NumberedFrame {
  readonly frame: Frame
  readonly numbers: Uint32Array | undefined
}

/**
 * Left rows on their way into pairs that will all be read. When they may be many, frames are held back until their pairs are counted, and the
 * query ends here if they are more than it has time for.
 */
export class CountedRows {
  readonly #node: Join
  readonly #right: RightSide
  readonly #budget: Budget
  readonly #charge: Charge
  /** Which left frames are next. */
  readonly #frames: () => NumberedFrame | 'again' | undefined
  readonly #waiting: NumberedFrame[] = []
  #waitingBytes = 0
  #pairs = 0
  /** What `#pairs` cannot be above, of rows not counted. */
  #mostPairs = 0
  #state: 'few' | 'counting' | 'too-many' | 'counted' = 'few'

  constructor(node: Join, right: RightSide, budget: Budget, frames: () => NumberedFrame | 'again' | undefined) {
    this.#node = node
    this.#right = right
    this.#budget = budget
    this.#charge = new Charge(budget)
    this.#frames = frames
  }

  /** The next frame to be made into pairs. Throws `budget/pairs`. */
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

  /** A frame of which a bound is enough. */
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
