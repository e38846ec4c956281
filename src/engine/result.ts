import type { Diagnostic } from '../base/index.ts'
import type { PlainRow, RecordBatch, Schema } from '../data/index.ts'
import type { ExplainTree, LogicalPlan } from '../plan/index.ts'

/** The cost of a run so far; final once all rows are read. */
export interface QueryStatistics {
  /** Rows returned. */
  readonly rows: number
  /** Rows read by scans. Under a data scope 0, like all counts of stored data. */
  readonly scannedRows: number
  /** Bytes read from stored columns; 0 if the backend does not count them. */
  readonly bytes: number
  readonly segmentsTotal: number
  /** Segments skipped because of their time range or index. */
  readonly segmentsSkipped: number
  /** Blocks read from part files, and blocks found in the cache, each counted once. Under a data scope 0. */
  readonly blocksFromDisk: number
  readonly bytesFromDisk: number
  readonly partsFromCache: number
  /** Bytes in memory, uncompressed. */
  readonly bytesFromCache: number
  /** Milliseconds since the first row was requested, including subqueries. */
  readonly milliseconds: number
  /** High-water mark of the memory reserved by operators, in bytes. Under a data scope 0. */
  readonly peakMemoryBytes: number
  /** One sentence that names what took most of the time. */
  readonly summary: string
}

/**
 * A prepared query of any language; nothing has been read yet. `Shape` is the type of the rows. It is not checked,
 * because a query can name any fields.
 */
export interface Answer<Shape extends object = PlainRow> {
  /** The columns of the answer. If it is open, rows may have others. */
  readonly schema: Schema
  /** Warnings and advice. Errors are thrown earlier, when the query is prepared. */
  readonly diagnostics: readonly Diagnostic[]
  /**
   * Runs the query and returns its batches in order. Nothing is computed in advance, and stopping early stops the work.
   * Each call runs the query again. Throws SluiceError `budget/…` at a limit or on cancellation.
   */
  batches(): AsyncIterable<RecordBatch>
  /**
   * Runs the query and returns plain objects, one per row, keyed by column. Times are RFC 3339 strings with
   * nanoseconds; integers beyond 2^53 are `bigint`. Columns that the query names are in every row, `null` if missing;
   * others only in rows that have them. `rowsOf(batch)` returns exact values.
   */
  rows(): AsyncIterable<Shape>
  /** Runs the query and returns all objects of `rows`. */
  toArray(): Promise<Shape[]>
  /** Returns the limit that ended the latest run early; `undefined` for a complete answer. */
  partial(): Diagnostic | undefined
  /** Returns the statistics of the latest run. */
  statistics(): QueryStatistics
  /**
   * Returns the plan as a tree, with the backend of each part and measurements of the latest run. Under a data scope,
   * only the last node of each part has measurements.
   */
  explain(): ExplainTree
}

/** The result of preparing a text, a pipeline or a plan. */
export interface QueryResult<Shape extends object = PlainRow> extends Answer<Shape> {
  /** True if a row represents a group of records instead of one record. */
  readonly isAggregate: boolean
  /** The plan to run, before parts are assigned to backends. */
  readonly plan: LogicalPlan
  /**
   * Returns warnings about names: fields that no row has, and values that do not occur in a field with few values, each
   * with similar names. Reads rows only if tables lack the facts, and only rows that the caller may see. Never throws
   * at a limit. `text` is the query text, for fixes.
   */
  advice(text?: string): Promise<readonly Diagnostic[]>
  /**
   * Returns warnings about rows: if no row is in the range, where rows are; how many values a sum skipped. Must be
   * called after reading the answer and before `advice`. The warnings cover all rows, so there are none under a data
   * scope. Never throws at a limit.
   */
  rowAdvice(): Promise<readonly Diagnostic[]>
  /** Requests the plans of the statements from their databases. `explain()` then includes them. */
  askPlans(): Promise<void>
  /**
   * While `batches` is being read: returns the answer as if the input ended now, if rows are aggregated as they arrive.
   * The run continues; this answer has its own limits. `undefined` if no operator supports it, and under a data scope.
   */
  soFar(): AsyncIterable<RecordBatch> | undefined
}
