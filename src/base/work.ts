import type { BlockReads } from './block-reads.ts'

/** The limits that long work must check regularly. */
export interface Checked {
  checkpoint(): void
  /** Counters of the block reads; the work increments them. */
  readonly reads?: BlockReads
  /** Charges bytes. Throws `budget/memory`. */
  charge?(bytes: number): void
}

/** Units of `work` between two checks: about a millisecond, at roughly 0.1 µs per unit. */
const UNITS_PER_CHECKPOINT = 10_000

/** The cost of reading or making a row, in units of `work`. */
export const ROW_WORK = 10

let current: Checked | undefined
let unitsLeft = UNITS_PER_CHECKPOINT
let runs = 0

/**
 * Runs a synchronous part of a query. While it runs, `work` checks the limits of `budget`, also in functions without a
 * budget parameter, such as comparators.
 */
export function runWithBudget<T>(budget: Checked, task: () => T): T {
  const before = current
  current = budget
  if (before === undefined) runs++
  try {
    return task()
  } finally {
    current = before
  }
}

/**
 * Returns the number of outermost calls of `runWithBudget` in this thread so far. Two equal numbers belong to the same
 * call.
 */
export function runNumber(): number {
  return runs
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
  unitsLeft = UNITS_PER_CHECKPOINT
  current?.checkpoint()
}

/**
 * Must be called in every loop whose length depends on input, with the cost of one iteration: 1 for a comparison, 10
 * for a row, a quarter of the length for a string search. Checks the deadline and the cancel flag about once a
 * millisecond. Throws `budget/cancelled` or `budget/deadline`.
 */
export function work(units: number): void {
  unitsLeft -= units
  if (unitsLeft > 0) return
  unitsLeft = UNITS_PER_CHECKPOINT
  current?.checkpoint()
}
