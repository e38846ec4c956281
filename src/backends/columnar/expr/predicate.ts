import { work } from '../../../base/index.ts'
import { createBitmap, setRange, type Bitmap } from '../../../data/index.ts'
import type { SegmentGroup } from '../../../store/index.ts'
import type { Frame } from '../frame.ts'
import { borrowedCopy, giveBack, isEmptyMask, wordsInUse } from './mask.ts'
import type { ColumnTest } from './test-column.ts'

export interface NamedTest {
  readonly name: string
  readonly test: ColumnTest
}

/** A condition on the rows of a frame. */
export interface Predicate {
  /** Clears the bits in `mask` of rows that do not match. */
  narrow(frame: Frame, mask: Bitmap): void
  /** Returns the estimated cost of testing one row. Cheap conditions are tested first. */
  cost(frame: Frame): number
  /** Tests of single fields. Every matching row passes all of them. */
  readonly tests?: readonly NamedTest[]
  /** True if `tests` is equivalent to the condition: a row that passes all of them matches. */
  readonly isDecidedByTests?: boolean
  /**
   * True if no row of a whole segment matches, as far as this is known without reading rows. False when it is unknown.
   */
  isNone?(frame: Frame): boolean
  /**
   * Returns a bitmap of the segments in a group, by index, that may have a matching row. `undefined` if this cannot be
   * determined. The caller must not change the result.
   */
  segmentsIn?(group: SegmentGroup): Bitmap | undefined
  /** Returns the number of matching rows in a whole segment; `undefined` when rows must be read to know it. */
  count?(frame: Frame): number | undefined
  /**
   * Prefetches the data of a segment in a file that this condition needs in prefetch step `step`, counted from 0; each
   * step needs the result of the previous one. Returns whether something had to be read. `isAlone`: this is the only
   * condition, and only the number of rows is wanted.
   */
  readAhead?(frame: Frame, step: number, isAlone: boolean): boolean
}

export const nothing: Predicate = {
  narrow: (_, mask) => void mask.fill(0),
  cost: () => 0,
  isNone: () => true,
  count: () => 0,
}
export const everything: Predicate = { narrow: () => undefined, cost: () => 0, count: (frame) => frame.rowCount }

export const conjunction = (args: readonly Predicate[]): Predicate => new Conjunction(args)
export const disjunction = (args: readonly Predicate[]): Predicate => new Disjunction(args)
export const negation = (arg: Predicate): Predicate => new Negation(arg)

const cheapestFirst = (args: readonly Predicate[], frame: Frame): readonly Predicate[] =>
  args.toSorted((a, b) => a.cost(frame) - b.cost(frame))

// Classes instead of closures: the runtime keeps the compiled code of methods after the query, but discards the code of
// closures.

class Conjunction implements Predicate {
  readonly #args: readonly Predicate[]
  readonly tests: readonly NamedTest[]
  readonly isDecidedByTests: boolean

  constructor(args: readonly Predicate[]) {
    this.#args = args
    this.tests = args.flatMap((arg) => arg.tests ?? [])
    this.isDecidedByTests = args.every((arg) => arg.isDecidedByTests === true)
  }

  narrow(frame: Frame, mask: Bitmap): void {
    for (const arg of cheapestFirst(this.#args, frame)) {
      arg.narrow(frame, mask)
      if (isEmptyMask(mask)) return
    }
  }

  cost(frame: Frame): number {
    return this.#args.reduce((sum, arg) => sum + arg.cost(frame), 0)
  }

  isNone(frame: Frame): boolean {
    for (const arg of this.#args) if (arg.isNone?.(frame) === true) return true
    return false
  }

  segmentsIn(group: SegmentGroup): Bitmap | undefined {
    let all: Bitmap | undefined
    for (const arg of this.#args) {
      const some = arg.segmentsIn?.(group)
      all = all === undefined || some === undefined ? (all ?? some) : all.map((word, i) => word & some[i])
    }
    return all
  }

  readAhead(frame: Frame, step: number): boolean {
    return readAllAhead(this.#args, frame, step)
  }
}

class Disjunction implements Predicate {
  readonly #args: readonly Predicate[]

  constructor(args: readonly Predicate[]) {
    this.#args = args
  }

  narrow(frame: Frame, mask: Bitmap): void {
    const found = borrowedCopy(mask).fill(0)
    const rest = borrowedCopy(mask)
    const { first, end } = wordsInUse(mask)
    // Reuses one mask for all alternatives, since there may be thousands of them and few remaining rows.
    const part = borrowedCopy(mask)
    for (const arg of cheapestFirst(this.#args, frame)) {
      work((end - first) >>> 6)
      for (let i = first; i < end; i++) part[i] = rest[i]
      arg.narrow(frame, part)
      let left = 0
      for (let i = first; i < end; i++) {
        found[i] |= part[i]
        rest[i] &= ~part[i]
        left |= rest[i]
      }
      if (left === 0) break
    }
    mask.set(found)
    giveBack(found, rest, part)
  }

  cost(frame: Frame): number {
    return this.#args.reduce((sum, arg) => sum + arg.cost(frame), 0)
  }

  isNone(frame: Frame): boolean {
    return this.#args.every((arg) => arg.isNone?.(frame) === true)
  }

  segmentsIn(group: SegmentGroup): Bitmap | undefined {
    let all: Bitmap | undefined
    for (const arg of this.#args) {
      const some = arg.segmentsIn?.(group)
      if (some === undefined) return undefined
      all = all === undefined ? some : all.map((word, i) => word | some[i])
    }
    return all
  }

  readAhead(frame: Frame, step: number): boolean {
    return readAllAhead(this.#args, frame, step)
  }
}

class Negation implements Predicate {
  readonly #arg: Predicate

  constructor(arg: Predicate) {
    this.#arg = arg
  }

  narrow(frame: Frame, mask: Bitmap): void {
    const holds = borrowedCopy(mask)
    this.#arg.narrow(frame, holds)
    for (let i = 0; i < mask.length; i++) mask[i] &= ~holds[i]
    giveBack(holds)
  }

  cost(frame: Frame): number {
    return this.#arg.cost(frame)
  }

  count(frame: Frame): number | undefined {
    const count = this.#arg.count?.(frame)
    return count === undefined ? undefined : frame.rowCount - count
  }

  readAhead(frame: Frame, step: number, isAlone: boolean): boolean {
    return this.#arg.readAhead?.(frame, step, isAlone) === true
  }
}

function readAllAhead(args: readonly Predicate[], frame: Frame, step: number): boolean {
  let isAsked = false
  for (const arg of args) if (arg.readAhead?.(frame, step, false) === true) isAsked = true
  return isAsked
}

/** Returns a bitmap with the bits of all rows of a frame set. */
export function fullMask(frame: Frame): Bitmap {
  const mask = createBitmap(frame.rowCount)
  setRange(mask, 0, frame.rowCount)
  return mask
}
