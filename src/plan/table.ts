import type { Budget, Interval } from '../base/index.ts'
import type { RecordBatch } from '../data/index.ts'
import type { TableDefinition } from './catalog.ts'
import type { Expr } from './expr/index.ts'

/**
 * Grade of a table for a condition. `exact`: the table returns only matching rows. `superset`: it may also return other
 * rows. `none`: it ignores the condition.
 */
export type FilterGrade = 'exact' | 'superset' | 'none'

/** The request of a scan to a table. A table may fulfil only parts of it, and reports which in `ScanApplied`. */
export interface ScanRequest {
  /** The fields to read; `undefined` means all. The table may return further fields. */
  readonly columns: readonly string[] | undefined
  /** Conditions that the table graded `exact` or `superset`. The scan needs only rows that match all of them. */
  readonly predicate: readonly Expr[]
  /**
   * Half-open range on the table's time field; rows outside are not needed. For a table without a time field the range
   * includes all times.
   */
  readonly range: Interval
  /** `newest-first`: by time, then latest stored first. `any`: the order does not affect the answer. */
  readonly order: 'newest-first' | 'any'
  /**
   * Maximum number of rows that are needed: the first rows in `order` that match `predicate` and `range`. Set only if
   * the table grades all conditions `exact` and no other node drops rows.
   */
  readonly limitRows: number | undefined
  /** Aborted when no more rows are needed: at the end of the query, on cancellation, or at the deadline. */
  readonly signal: AbortSignal
  /** The budget of the query. The table must charge the memory that it holds for this scan. */
  readonly budget: Budget
}

/** The parts of a request that a scan fulfilled. The engine fulfils the other parts. */
export interface ScanApplied {
  /** Conditions that every returned row matches. */
  readonly predicate?: readonly Expr[]
  /** True if every returned row is in the range. */
  readonly range?: boolean
  /** True if rows are returned newest first, and among equal times latest stored first. */
  readonly order?: boolean
}

/** The result of a scan of a table. */
export interface ScanResult {
  readonly applied: ScanApplied
  /**
   * Rows in the order that `applied` states, else in stored order. Batches are pulled one at a time. `return()` is
   * called when no more batches are needed.
   */
  readonly batches: Iterable<RecordBatch> | AsyncIterable<RecordBatch>
}

/** A number about a table. `source` states whether it is exact. */
export interface Estimate<T = number> {
  readonly value: T
  readonly source: 'exact' | 'estimate'
}

/** Facts about the rows of a table now, known without reading rows. Unknown facts are missing. */
export interface TableStatistics {
  /** The number of rows. If it is exact, a query that only counts all rows uses this number and does not scan. */
  readonly rows?: Estimate
  readonly minTimeNs?: Estimate<bigint>
  readonly maxTimeNs?: Estimate<bigint>
  /** Returns the number of distinct values of a field, not counting missing ones. */
  distinct?(field: string): Estimate | undefined
  /** Returns the number of rows whose field contains a word. */
  rowsWithWord?(field: string, word: string): Estimate | undefined
}

/** The first and last time, both included, among the rows that a query has read. */
export interface TimesMet {
  readonly firstNs: bigint
  readonly lastNs: bigint
  /** False if a word index let the scan skip rows, so that their times are not included. */
  readonly isWhole: boolean
}

/** Facts about which fields and values rows have, used for suggestions of names. */
export interface KnownFields {
  /** Number of rows that these facts cover. */
  readonly rows: number
  /** True if the facts cover all rows of the table. */
  readonly isWhole: boolean
  /** Returns true if some covered row has the field. */
  has(field: string): boolean
  /** Returns the number of covered rows that have each field. */
  fields(): ReadonlyMap<string, number>
  /**
   * Returns the number of covered rows by string value of a field; `undefined` if it has more than `MAX_KNOWN_TEXTS`
   * distinct strings.
   */
  texts(field: string): ReadonlyMap<string, number> | undefined
  /** Returns true if some sampled values of the field are strings that are not numbers. */
  hasStrayText?(field: string): boolean
  /**
   * Returns true if `texts` counts all rows of the table that have this string in the field, even if `isWhole` is
   * false.
   */
  knowsAll?(field: string, text: string): boolean
}

/** Maximum number of distinct strings of a field for which `texts` returns counts. */
export const MAX_KNOWN_TEXTS = 64

/** A source of rows for queries: in memory, in a file, in another database, or generated. */
export interface Table {
  readonly definition: TableDefinition
  /** A note for explanations on how the table's rows are read. */
  readonly note?: string
  /** Grades a condition before any scan. Must return the same grade each time. */
  grade(filter: Expr): FilterGrade
  /** Starts a scan. Errors may be thrown here or while reading batches. Several scans may run at once. */
  scan(request: ScanRequest): ScanResult
  stats?(): TableStatistics
  /**
   * Returns the number of rows in a time range without reading rows. The number includes rows hidden by a data scope.
   */
  rowsIn?(range: Interval): number
  /**
   * Returns facts about fields without reading rows; `undefined` if nothing is known. The facts include rows hidden by
   * a data scope.
   */
  knownFields?(): KnownFields | Promise<KnownFields> | undefined
  /**
   * Returns the first and last time among the rows that the latest query read, inside or outside its range; `undefined`
   * if it read none.
   */
  timesMet?(): TimesMet | undefined
  /** Returns facts about fields from rows that queries have read; `undefined` if no rows were read. */
  readFields?(): KnownFields | undefined
}
