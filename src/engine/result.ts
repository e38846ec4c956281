import type { Diagnostic } from '../base/index.ts'
import type { PlainRow, RecordBatch, Schema } from '../data/index.ts'
import type { ExplainTree, LogicalPlan } from '../plan/index.ts'

/** Cost of a run so far; final once all rows are read. */
export interface QueryStatistics {
  /** Rows returned. */
  readonly rows: number
  /** Rows that scans read; 0 under a data scope, like all counts of stored data. */
  readonly scannedRows: number
  /** Bytes read of stored columns; 0 if the backend does not count them. */
  readonly bytes: number
  readonly segmentsTotal: number
  /** Segments that were skipped by their time range or index. */
  readonly segmentsSkipped: number
  /** Blocks read from part files, and blocks found in the cache, each counted once; 0 under a data scope. */
  readonly blocksFromDisk: number
  readonly bytesFromDisk: number
  readonly partsFromCache: number
  /** Bytes in memory, uncompressed. */
  readonly bytesFromCache: number
  /** Time from the first demand for rows, subqueries included, in ms. */
  readonly milliseconds: number
  /** High-water mark of the memory that operators reserve, in bytes; 0 under a data scope. */
  readonly peakMemoryBytes: number
  /** One sentence about what took most of the time. */
  readonly summary: string
}

/**
 * A query of any front end that is ready to run; nothing has been read yet. `Shape` states the type of the rows;
 * nothing checks it, since a query can name any fields.
 */
export interface Answer<Shape extends object = PlainRow> {
  /** Columns of the answer; open if rows may carry others. */
  readonly schema: Schema
  /** Warnings and advice; errors are thrown when the query is made. */
  readonly diagnostics: readonly Diagnostic[]
  /**
   * Runs the query and returns its batches in order. It computes nothing ahead of the reader, and returning early stops
   * the work. Each call runs the query again. Throws SluiceError `budget/…` at a limit or on cancellation.
   */
  batches(): AsyncIterable<RecordBatch>
  /**
   * Runs the query and returns plain objects, one a row, keyed by column. Times are RFC 3339 strings with nanoseconds;
   * integers beyond 2^53 are `bigint`. Columns that the query names are in every row, `null` if missing; others only in
   * rows that have them. `rowsOf(batch)` returns exact values.
   */
  rows(): AsyncIterable<Shape>
  /** Runs the query and returns all objects of `rows`. */
  toArray(): Promise<Shape[]>
  /** The limit that ended the answer of the latest run early; `undefined` for a whole answer. */
  partial(): Diagnostic | undefined
  /** Statistics of the latest run. */
  statistics(): QueryStatistics
  /**
   * Tree of the plan with the backend of each part and measures of the latest run; under a data scope only those of the
   * last node of each part.
   */
  explain(): ExplainTree
}

/** The result of a text, a pipeline or a plan. */
export interface QueryResult<Shape extends object = PlainRow> extends Answer<Shape> {
  /** True if a row represents a group of records rather than one record. */
  readonly isAggregate: boolean
  /** The plan that runs, before parts are assigned to backends. */
  readonly plan: LogicalPlan
  /**
   * Warnings about names: fields that no row has, and values that no row has in a field of few values, each with
   * similar ones. Reads only rows that the caller may see, and only if tables do not know; never throws at a limit.
   * `text` is the query text, for fixes.
   */
  advice(text?: string): Promise<readonly Diagnostic[]>
  /**
   * Warnings about rows: no row lies in the range, and where rows are; how many values a sum skipped. Call it after
   * reading the answer and before `advice`. It speaks of all rows, so there is none under a data scope; never throws at
   * a limit.
   */
  rowAdvice(): Promise<readonly Diagnostic[]>
  /** Asks databases for the plans of their statements; `explain()` shows them from then on. */
  askPlans(): Promise<void>
  /**
   * While `batches` is being read: the answer if the input ended now, if rows are aggregated as they arrive. The run
   * continues; this answer has limits of its own. `undefined` if no operator can tell, and under a data scope.
   */
  soFar(): AsyncIterable<RecordBatch> | undefined
}
