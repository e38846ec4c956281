import type { Diagnostic } from '../base/index.ts'
import type { PlainRow, RecordBatch, Schema } from '../data/index.ts'
import type { ExplainTree, LogicalPlan } from '../plan/index.ts'

/** Statistics of a run so far; final when all rows have been read. */
export interface QueryStatistics {
  /** Number of rows returned. */
  readonly rows: number
  /** Number of rows read by scans. 0 under a data scope, like all counts of stored data. */
  readonly scannedRows: number
  /** Number of bytes read from stored columns; 0 if the backend does not count them. */
  readonly bytes: number
  readonly segmentsTotal: number
  /** Number of segments skipped because of their time range or index. */
  readonly segmentsSkipped: number
  /**
   * Number of blocks read from part files, each counted once. `partsFromCache` is the number of blocks found in the
   * cache. Both are 0 under a data scope.
   */
  readonly blocksFromDisk: number
  readonly bytesFromDisk: number
  readonly partsFromCache: number
  /** Uncompressed size of the blocks found in the cache, bytes. */
  readonly bytesFromCache: number
  /** Time since the first row was requested, ms, including subqueries. */
  readonly milliseconds: number
  /** High-water mark of the memory reserved by operators, bytes. 0 under a data scope. */
  readonly peakMemoryBytes: number
  /** One sentence that says which node took most of the time. */
  readonly summary: string
}

/**
 * A prepared query of any language, which has read nothing yet. `Shape` is the type of the rows. It is not checked,
 * because a query can name any fields.
 */
export interface Answer<Shape extends object = PlainRow> {
  /** The columns of the answer. If the schema is open, rows may have further columns. */
  readonly schema: Schema
  /** Warnings and advice. Errors are thrown earlier, while the query is prepared. */
  readonly diagnostics: readonly Diagnostic[]
  /**
   * Runs the query and returns its batches in order. Nothing is computed in advance, and stopping early stops the
   * query. Each call runs the query again. Throws SluiceError `budget/…` at a limit or on cancellation.
   */
  batches(): AsyncIterable<RecordBatch>
  /**
   * Runs the query and returns plain objects, one per row, keyed by column. Times are RFC 3339 strings with
   * nanoseconds; integers beyond 2^53 are `bigint`. Columns that the query names are in every row, and are `null` if
   * missing; other columns are only in rows that have them. `rowsOf(batch)` returns exact values.
   */
  rows(): AsyncIterable<Shape>
  /** Runs the query and returns all objects of `rows` as an array. */
  toArray(): Promise<Shape[]>
  /** Returns the limit that ended the latest run early; `undefined` if the answer is complete. */
  partial(): Diagnostic | undefined
  /** Returns the statistics of the latest run. */
  statistics(): QueryStatistics
  /**
   * Returns the plan as a tree, with the backend of each fragment and the measurements of the latest run. Under a data
   * scope, only the topmost node of each fragment has measurements.
   */
  explain(): ExplainTree
}

/** The result of preparing a query text, a JSON pipeline or a plan. */
export interface QueryResult<Shape extends object = PlainRow> extends Answer<Shape> {
  /** True if a row represents a group of records, false if it represents one record. */
  readonly isAggregate: boolean
  /** The plan to run, before its fragments are assigned to backends. */
  readonly plan: LogicalPlan
  /**
   * Returns warnings about names: fields that no row has, and values that do not occur in a field with few values. Each
   * warning has similar names. Reads rows only if tables lack the facts, and only rows that the caller may see. Never
   * throws because of a limit. `text` is the query text, for fixes.
   */
  advice(text?: string): Promise<readonly Diagnostic[]>
  /**
   * Returns warnings about rows: where rows are, if none is in the range, and how many values a sum skipped. Call it
   * after reading the answer and before `advice`. Returns nothing under a data scope, because the warnings cover all
   * rows. Never throws because of a limit.
   */
  rowAdvice(): Promise<readonly Diagnostic[]>
  /** Requests the plans of the SQL statements from their databases. Afterwards, `explain()` includes the plans. */
  askPlans(): Promise<void>
  /**
   * Returns the answer as if the input ended now, while `batches` is being read. Works if rows are aggregated as they
   * arrive. The run continues, and this answer has its own limits. `undefined` if no operator supports it, and under a
   * data scope.
   */
  soFar(): AsyncIterable<RecordBatch> | undefined
}
