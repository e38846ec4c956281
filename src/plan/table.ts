import type { Budget, Interval } from '../base/index.ts'
import type { RecordBatch } from '../data/index.ts'
import type { TableDefinition } from './catalog.ts'
import type { Expr } from './expr/index.ts'

/**
 * How a scan treats a condition: `exact` returns only matching rows; `superset` may return others too; `none` ignores
 * the condition.
 */
export type FilterGrade = 'exact' | 'superset' | 'none'

/** Request of one scan to a table. A table may do less and reports what it did. */
export interface ScanRequest {
  /** Fields to read; `undefined` is all. Further fields are ignored. */
  readonly columns: readonly string[] | undefined
  /** Conditions that the table graded `exact` or `superset`; rows must match all. */
  readonly predicate: readonly Expr[]
  /**
   * Half-open range on the table's time field; rows outside are not needed. Everything for a table without a time
   * field.
   */
  readonly range: Interval
  /** `newest-first`: by time, then latest stored first; `any` if the order does not affect the answer. */
  readonly order: 'newest-first' | 'any'
  /**
   * Maximum number of rows needed, among those that match `predicate` and `range`, in `order`. Given only if the table
   * grades all conditions `exact` and no other node drops rows.
   */
  readonly limitRows: number | undefined
  /** Aborted when no more rows are needed: at the end, on cancellation, at the deadline. */
  readonly signal: AbortSignal
  /** Budget of the query; reserve from it what the table holds in memory for this scan. */
  readonly budget: Budget
}

/** Parts of a request that the scan fulfilled; missing ones are done above the table. */
export interface ScanApplied {
  /** Conditions that every returned row matches. */
  readonly predicate?: readonly Expr[]
  /** True if every returned row is in the range. */
  readonly range?: boolean
  /** True if rows come newest first, and among equal times latest stored first. */
  readonly order?: boolean
}

/** The answer of a table to a scan. */
export interface ScanResult {
  readonly applied: ScanApplied
  /**
   * Rows in the order that `applied` states, else in stored order. Batches are pulled one at a time; `return()` is
   * called when no more are needed.
   */
  readonly batches: Iterable<RecordBatch> | AsyncIterable<RecordBatch>
}

/** A number about a table, and whether it is exact. */
export interface Estimate<T = number> {
  readonly value: T
  readonly source: 'exact' | 'estimate'
}

/** Facts about the rows of a table at the time of the call, known without reading them. Unknown facts are missing. */
export interface TableStatistics {
  /** If exact, a query that only counts all rows is answered from it, without a scan. */
  readonly rows?: Estimate
  readonly minTimeNs?: Estimate<bigint>
  readonly maxTimeNs?: Estimate<bigint>
  /** Number of distinct values of a field, without missing ones. */
  distinct?(field: string): Estimate | undefined
  /** Number of rows whose field contains a word. */
  rowsWithWord?(field: string, word: string): Estimate | undefined
}

/** First and last time of rows, both included. */
export interface TimesMet {
  readonly firstNs: bigint
  readonly lastNs: bigint
  /** False if rows were skipped by a word search. */
  readonly isWhole: boolean
}

/** Which fields and values rows have, for advice on names. */
export interface KnownFields {
  /** Number of rows that are known. */
  readonly rows: number
  /** True if the values cover all rows of the table. */
  readonly isWhole: boolean
  /** True if some row has the field. */
  has(field: string): boolean
  /** Number of rows that have each field. */
  fields(): ReadonlyMap<string, number>
  /** Number of rows by string value of a field, if there are at most `MAX_KNOWN_TEXTS`; else `undefined`. */
  texts(field: string): ReadonlyMap<string, number> | undefined
  /** True if some rows may have a string in the field that is no number. Looks at some values only. */
  hasStrayText?(field: string): boolean
  /** True if `texts` counts all rows that have this string in the field, even if other rows are unknown. */
  knowsAll?(field: string, text: string): boolean
}

/** Maximum number of distinct strings of a field of few values. */
export const MAX_KNOWN_TEXTS = 64

/** Rows that queries read: in memory, in a file, in another database, or generated. */
export interface Table {
  readonly definition: TableDefinition
  /** Note on how its rows are read, for explanations. */
  readonly note?: string
  /** Grades a condition before any scan; returns the same grade each time. */
  grade(filter: Expr): FilterGrade
  /** Starts reading; errors may be thrown here or by the batches. Several scans may run at once. */
  scan(request: ScanRequest): ScanResult
  stats?(): TableStatistics
  /** Number of rows in a time range, known without reading; includes hidden rows. */
  rowsIn?(range: Interval): number
  /** Facts about fields, known without reading; includes hidden rows. `undefined` if nothing is known. */
  knownFields?(): KnownFields | Promise<KnownFields> | undefined
  /** Times of the rows that the latest query read, also outside its range; `undefined` if none was read. */
  timesMet?(): TimesMet | undefined
  /** Facts about fields from rows that queries have read; `undefined` if none was read. */
  readFields?(): KnownFields | undefined
}
