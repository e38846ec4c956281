import { Budget } from '../base/index.ts'
import {
  helpingWith,
  type GivenPart,
  type Helpers,
  type Helping,
  type OfferedWork,
  type SharedWork,
} from '../backends/columnar/index.ts'
import { SegmentListener, SegmentTeller, type OpenStored, type Segment } from '../store/index.ts'

/** Who works on a case: the one who asks, and the others. */
const WORKERS = 3

/**
 * Of every three pieces the first is done by who asks, the others by two helpers of the same thread. One of them comes to nothing
 * in the first pass and begins with the second.
 */
class DealtWork implements SharedWork {
  readonly isWaiting = false
  readonly #pieceCount: number
  readonly #make: () => Helping
  readonly #helps: (Helping | undefined)[] = []
  #told: readonly [pass: number, told: unknown] | undefined
  #first: number
  #next: number
  #given: GivenPart[] | undefined

  constructor({ pieceCount, nextPiece, budget }: OfferedWork, task: unknown, segments: readonly Segment[]) {
    this.#pieceCount = pieceCount
    this.#first = nextPiece
    this.#next = nextPiece
    this.#make = () => helpingWith(structuredClone(task), segments, new Budget(budget.limits, () => 0))
  }

  next(): number | undefined {
    const piece = this.#next
    this.#next += WORKERS
    return piece < this.#pieceCount ? piece : undefined
  }

  #help(index: number): GivenPart {
    const pieces: number[] = []
    for (let piece = this.#first + 1 + index; piece < this.#pieceCount; piece += WORKERS) pieces.push(piece)
    if (pieces.length === 0 || (index === 1 && this.#told === undefined))
      return { pieces, part: undefined, workedMs: 0 }
    const helping = (this.#helps[index] ??= this.#make())
    if (this.#told !== undefined) helping.hear(...structuredClone(this.#told))
    const left = [...pieces]
    helping.work(() => left.shift())
    return { pieces, part: structuredClone(helping.give()), workedMs: 0 }
  }

  given(): GivenPart | undefined {
    this.#given ??= Array.from({ length: WORKERS - 1 }, (_, index) => this.#help(index))
    return this.#given.shift()
  }

  settle(): void {
    // All that helpers have done is there when it is asked for.
  }

  come(): Promise<void> {
    return Promise.resolve()
  }

  go(pass: number, told: unknown): void {
    this.#first = 0
    this.#next = 0
    this.#given = undefined
    this.#told = [pass, told]
  }

  end(): void {
    this.#next = this.#pieceCount
    for (const helping of this.#helps) void helping?.end()
  }
}

/** Helpers that work in this thread, over what another one would be told: a case comes out the same each time. `open` reads segments in files. */
export function helpersHere(open?: OpenStored): Helpers {
  const teller = new SegmentTeller()
  const listener = new SegmentListener(open)
  return {
    leastMs: 0,
    count: WORKERS - 1,
    share(work) {
      const task = work.task()
      // What is told must be heard.
      const told = task === undefined ? undefined : teller.tell(work.segments)
      if (told === undefined) return undefined
      listener.hear(structuredClone(told.news))
      return new DealtWork(work, task, listener.segments(told.numbers))
    },
  }
}
