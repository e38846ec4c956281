import { work } from '../../../base/index.ts'
import type { Bitmap } from '../../../data/index.ts'
import { createBitmap, setRange } from '../../../data/index.ts'
import type { Frame } from '../frame.ts'
import { isEmptyMask, wordsInUse } from './mask.ts'
import type { ColumnTest } from './test-column.ts'

export interface NamedTest {
  readonly name: string
  readonly test: ColumnTest
}

/** A yes-or-no expression over the rows of a frame. */
export interface Predicate {
  /** Clears the bits of the rows for which it does not hold. */
  narrow(frame: Frame, mask: Bitmap): void
  /** Roughly what one row costs, so that cheap conditions come first. */
  cost(frame: Frame): number
  /** Tests of single fields that every row it holds for passes. */
  readonly tests?: readonly NamedTest[]
  /** Whether a row that passes all of them is one it holds for. */
  readonly isDecidedByTests?: boolean
  /** Whether it holds for no row of a whole segment, when that is known without looking at rows. */
  isNone?(frame: Frame): boolean
  /** How many rows of a whole segment it holds for, when that is known without looking at rows. */
  count?(frame: Frame): number | undefined
}

export const nothing: Predicate = {
  narrow: (_, mask) => void mask.fill(0),
  cost: () => 0,
  isNone: () => true,
  count: () => 0,
}
export const everything: Predicate = { narrow: () => undefined, cost: () => 0, count: (frame) => frame.rowCount }

export function conjunction(args: readonly Predicate[]): Predicate {
  return {
    narrow: (frame, mask) => {
      for (const arg of args.toSorted((a, b) => a.cost(frame) - b.cost(frame))) {
        arg.narrow(frame, mask)
        if (isEmptyMask(mask)) return
      }
    },
    cost: (frame) => args.reduce((sum, arg) => sum + arg.cost(frame), 0),
    tests: args.flatMap((arg) => arg.tests ?? []),
    isDecidedByTests: args.every((arg) => arg.isDecidedByTests === true),
    isNone: (frame) => args.some((arg) => arg.isNone?.(frame) === true),
  }
}

export function disjunction(args: readonly Predicate[]): Predicate {
  return {
    narrow: (frame, mask) => {
      const found = new Uint32Array(mask.length)
      const rest = mask.slice()
      const { first, end } = wordsInUse(mask)
      // One for all: there may be thousands of conditions, and few rows left.
      const part = mask.slice()
      for (const arg of args.toSorted((a, b) => a.cost(frame) - b.cost(frame))) {
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
    },
    cost: (frame) => args.reduce((sum, arg) => sum + arg.cost(frame), 0),
    isNone: (frame) => args.every((arg) => arg.isNone?.(frame) === true),
  }
}

export function negation(arg: Predicate): Predicate {
  return {
    narrow: (frame, mask) => {
      const holds = mask.slice()
      arg.narrow(frame, holds)
      for (let i = 0; i < mask.length; i++) mask[i] &= ~holds[i]
    },
    cost: (frame) => arg.cost(frame),
    count: (frame) => {
      const count = arg.count?.(frame)
      return count === undefined ? undefined : frame.rowCount - count
    },
  }
}

/** A mask of all rows of a frame. */
export function fullMask(frame: Frame): Bitmap {
  const mask = createBitmap(frame.rowCount)
  setRange(mask, 0, frame.rowCount)
  return mask
}
