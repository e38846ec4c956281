import type { BlockReads } from './block-reads.ts'

/** The limits that long work must check regularly. */
export interface Checked {
  checkpoint(): void
  /** The block reads of this work. */
  readonly reads?: BlockReads
  /** Charges bytes. Throws `budget/memory`. */
  charge?(bytes: number): void
}

/** Units of `work` between two checks: about a millisecond, at roughly 0.1 µs per unit. */
const UNITS_PER_LOOK = 10_000

/** The cost of reading or making a row, in units of `work`. */
export const ROW_WORK = 10

let current: Checked | undefined
let unitsLeft = UNITS_PER_LOOK
let pieces = 0

/**
 * Runs a synchronous part of a query. While it runs, `work` checks the limits of `budget`, also in functions without a
 * budget parameter, such as comparators.
 */
export function runWithBudget<T>(budget: Checked, piece: () => T): T {
  const before = current
  current = budget
  if (before === undefined) pieces++
  try {
    return piece()
  } finally {
    current = before
  }
}

/** Returns a counter of the query parts that have run in this thread. Equal values mean the same part. */
export function pieceNumber(): number {
  return pieces
}

/** Returns the counters of block reads of the running query; `undefined` outside queries. */
export function readsOfWork(): BlockReads | undefined {
  return current?.reads
}

/**
 * Must be called before bytes are allocated for the running query. Throws `budget/memory`. Has no effect outside
 * queries.
 */
export function chargeWork(bytes: number): void {
  current?.charge?.(bytes)
}

/**
 * Checks the limits immediately. Must be called after about a millisecond of work. Throws `budget/cancelled` or
 * `budget/deadline`.
 */
export function checkpoint(): void {
  unitsLeft = UNITS_PER_LOOK
  current?.checkpoint()
}

/**
 * Must be called in every loop whose length depends on input, with the cost of one iteration: 1 for a comparison, 10
 * for a row, a quarter of the length for a string search. About once a millisecond it checks the deadline and the
 * cancel flag. Throws `budget/cancelled` or `budget/deadline`.
 */
export function work(units: number): void {
  unitsLeft -= units
  if (unitsLeft > 0) return
  unitsLeft = UNITS_PER_LOOK
  current?.checkpoint()
}
