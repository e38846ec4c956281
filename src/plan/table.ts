import type { Budget, Interval } from '../base/index.ts'
import type { RecordBatch } from '../data/index.ts'
import type { TableDefinition } from './catalog.ts'
import type { Expr } from './expr/index.ts'

/**
 * What a scan will really do with a condition: `exact` gives only rows that meet it; `superset` leaves out only rows that
 * do not, and may give others; `none` does not look at it.
 */
export type FilterGrade = 'exact' | 'superset' | 'none'

/** What one scan needs of a table. A table may do less than it is asked for; what it did, it says. */
export interface ScanRequest {
  /** Only these fields are read; `undefined` is all. Others may come along and are passed over. */
  readonly columns: readonly string[] | undefined
  /** Conditions that rows must all meet: those that the table has graded `exact` or `superset`. */
  readonly predicate: readonly Expr[]
  /** Rows outside are not needed: half-open, on the table's time field. Everything for a table without one. */
  readonly range: Interval
  /** `newest-first`: by time, then latest stored first; `any` when the order makes no difference to the answer. */
  readonly order: 'newest-first' | 'any'
  /**
   * No more rows than this are read of those that meet `predicate` and `range`, in `order`; given only when the table
   * grades all conditions `exact` and nothing else takes rows away. `undefined` without a bound.
   */
  readonly limitRows: number | undefined
  /** Aborted when nothing more will be read: the query has ended, was cancelled or is out of time. */
  readonly signal: AbortSignal
  /** The query's. To be charged for what the table holds in memory for this scan. */
  readonly budget: Budget
}

/** What a scan does of what it was asked for; left out is not done, and done above the table. */
export interface ScanApplied {
  /** The conditions of the request that every row given meets. */
  readonly predicate?: readonly Expr[]
  /** Whether every row given lies in the range. */
  readonly range?: boolean
  /** Whether rows come newest first, and among equal times the latest stored first. */
  readonly order?: boolean
}

export interface ScanResult {
  readonly applied: ScanApplied
  /**
   * The rows: in the order that `applied` says, else in the order in which they were stored. Pulled one at a time, and
   * left with `return()` when no more are needed.
   */
  readonly batches: Iterable<RecordBatch> | AsyncIterable<RecordBatch>
}

/** A number that is known of a table, and how well. */
export interface Estimate<T = number> {
  readonly value: T
  readonly source: 'exact' | 'estimate'
}

/** What is known of the rows of a table without reading them, at the time of the call. What is unknown is left out. */
export interface TableStatistics {
  /** When exact, a query that only counts all rows is answered from it, without a scan. */
  readonly rows?: Estimate
  readonly minTimeNs?: Estimate<bigint>
  readonly maxTimeNs?: Estimate<bigint>
  /** Different values of a field, missing ones aside. */
  distinct?(field: string): Estimate | undefined
  /** Rows whose field has a word. */
  rowsWithWord?(field: string, word: string): Estimate | undefined
}

/** The times of rows, both included. */
export interface TimesMet {
  readonly firstNs: bigint
  readonly lastNs: bigint
  /** False where rows without certain words were passed over. */
  readonly isWhole: boolean
}

/** Which fields rows have, for words about names that none has. */
export interface KnownFields {
  /** How many rows are known. */
  readonly rows: number
  /** Whether these are all rows. */
  readonly isWhole: boolean
  /** Whether some row has the field. */
  has(field: string): boolean
  /** Rows that have each field. */
  fields(): ReadonlyMap<string, number>
  /** Rows that have each text as this field, while there are at most `MAX_KNOWN_TEXTS` of them; else `undefined`. */
  texts(field: string): ReadonlyMap<string, number> | undefined
  /** Whether some rows may have a text as this field that is no number. Looks at a part of the values. */
  hasStrayText?(field: string): boolean
  /** Whether `texts` tells of all rows that have this text as this field, though others are known of a part only. */
  knowsAll?(field: string, text: string): boolean
}

/** A field of more texts is one of many values. */
export const MAX_KNOWN_TEXTS = 64

/** Rows that queries read: in memory, in a file, in another database, or made as they are read. */
export interface Table {
  readonly definition: TableDefinition
  /** How its rows are read, where explanations should say so. */
  readonly note?: string
  /** Called for each of the conditions that rows must all meet, before any scan; the same answer each time. */
  grade(filter: Expr): FilterGrade
  /** Starts reading; errors may be thrown here or by the batches. A table may be scanned several times at once. */
  scan(request: ScanRequest): ScanResult
  stats?(): TableStatistics
  /** How many rows lie in a range of times, told without reading them, hidden ones included. */
  rowsIn?(range: Interval): number
  /** What is known of the fields without reading the rows, hidden ones included; `undefined` when nothing is. */
  knownFields?(): KnownFields | Promise<KnownFields> | undefined
  /** The times of the rows that the latest query has read, those outside of its range included; `undefined` when none was read. */
  timesMet?(): TimesMet | undefined
  /** What rows that queries have read tell of fields, at once; `undefined` when none was read. */
  readFields?(): KnownFields | undefined
}
