import type { BlockReads } from './block-reads.ts'

/** The limits that long work checks regularly. */
export interface Checked {
  checkpoint(): void
  /** Counts the block reads of this work. */
  readonly reads?: BlockReads
  /** Charges bytes. Throws `budget/memory`. */
  charge?(bytes: number): void
}

/** About a millisecond; a unit is roughly a tenth of a microsecond. */
const UNITS_PER_LOOK = 10_000

/** The units of `work` for reading or making a row. */
export const ROW_WORK = 10

let current: Checked | undefined
let unitsLeft = UNITS_PER_LOOK
let pieces = 0

/**
 * Runs a synchronous part of a query. While it runs, `work` in any called function checks the limits of `budget`, so
 * that functions without a budget parameter, such as comparers, can be stopped.
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

/** Returns a number that changes whenever a query begins a part of its work in this thread. */
export function pieceNumber(): number {
  return pieces
}

/** Returns the block reads of the running query; `undefined` outside queries. */
export function readsOfWork(): BlockReads | undefined {
  return current?.reads
}

/**
 * Must be called before bytes are allocated for the running query. Throws `budget/memory`; outside queries nothing is
 * charged.
 */
export function chargeWork(bytes: number): void {
  current?.charge?.(bytes)
}

/**
 * Checks the limits now; to be called after about a millisecond of work. Throws `budget/cancelled` or
 * `budget/deadline`.
 */
export function checkpoint(): void {
  unitsLeft = UNITS_PER_LOOK
  current?.checkpoint()
}

/**
 * Must be called in every loop that input can lengthen, with the cost of one round: 1 for a comparison, 10 for a row, a
 * quarter of a text's length for a search. About once a millisecond it checks the deadline and the cancel flag. Throws
 * `budget/cancelled` or `budget/deadline`.
 */
export function work(units: number): void {
  unitsLeft -= units
  if (unitsLeft > 0) return
  unitsLeft = UNITS_PER_LOOK
  current?.checkpoint()
}
