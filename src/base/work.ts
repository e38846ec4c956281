import type { BlockReads } from './block-reads.ts'

/** What a long piece of work asks now and then. */
export interface Checked {
  checkpoint(): void
  /** Whose work it is counts what it reads here. */
  readonly reads?: BlockReads
  /** Counts bytes that it holds. Throws `budget/memory`. */
  charge?(bytes: number): void
}

/** About a millisecond: a unit stands for roughly a tenth of a microsecond. */
const UNITS_PER_LOOK = 10_000

/** Units of `work` for a row that is read or made. */
export const ROW_WORK = 10

let current: Checked | undefined
let unitsLeft = UNITS_PER_LOOK
let pieces = 0

/**
 * Runs a synchronous piece of a query's work. While it runs, `work` in any function below looks at the limits of
 * `budget`; a text function or a comparer, whose signature has no place for a budget, can be stopped like this.
 */
export function workFor<T>(budget: Checked, piece: () => T): T {
  const before = current
  current = budget
  if (before === undefined) pieces++
  try {
    return piece()
  } finally {
    current = before
  }
}

/** Another number whenever a query begins a piece of work in this thread. */
export function pieceNumber(): number {
  return pieces
}

/** Where the query whose work is running counts what it reads; `undefined` outside of queries. */
export function readsOfWork(): BlockReads | undefined {
  return current?.reads
}

/** To be called before bytes are held that the query whose work is running asked for. Throws `budget/memory`; outside of queries nobody is charged. */
export function chargeWork(bytes: number): void {
  current?.charge?.(bytes)
}

/** Looks at the limits now: to be called after a piece of work of about a millisecond. Throws `budget/cancelled` or `budget/deadline`. */
export function checkpoint(): void {
  unitsLeft = UNITS_PER_LOOK
  current?.checkpoint()
}

/**
 * To be called in every loop that input can lengthen, with what one round costs: 1 for a comparison, 10 for a row that
 * is read, a quarter of a text's length for one that is searched. Once a millisecond or so it looks at the time limit
 * and the cancel word. Throws `budget/cancelled` or `budget/deadline`.
 */
export function work(units: number): void {
  unitsLeft -= units
  if (unitsLeft > 0) return
  unitsLeft = UNITS_PER_LOOK
  current?.checkpoint()
}
