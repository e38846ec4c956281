import type { Diagnostic } from '../base/index.ts'
import type { PlainRow, RecordBatch, Schema } from '../data/index.ts'
import type { ExplainTree, LogicalPlan } from '../plan/index.ts'

/** What a run has cost so far; final once the rows are read to their end. */
export interface QueryStatistics {
  /** Rows given out. */
  readonly rows: number
  /** Rows that scans looked at; 0 under a data scope, as are all counts of what is stored. */
  readonly scannedRows: number
  /** Bytes of stored columns touched; 0 where a backend does not count them. */
  readonly bytes: number
  readonly segmentsTotal: number
  /** Segments that their time range or index ruled out unread. */
  readonly segmentsSkipped: number
  /** What was used of segments in files: blocks that were read, and parts that the cache had, each once; 0 under a data scope. */
  readonly blocksFromDisk: number
  readonly bytesFromDisk: number
  readonly partsFromCache: number
  /** In memory, where they are unpacked. */
  readonly bytesFromCache: number
  /** From the first demand for rows, subqueries included. */
  readonly milliseconds: number
  /** The most that operators held at one time, as they count it; 0 under a data scope. */
  readonly peakMemoryBytes: number
  /** One sentence: what dominated. */
  readonly summary: string
}

/**
 * A query of any front end that is ready to run: nothing has been read yet. `Shape` is the caller's claim of what its rows
 * are, which nothing checks: a query text can name any fields.
 */
export interface Answer<Shape extends object = PlainRow> {
  /** The answer's columns; open when rows may carry others. */
  readonly schema: Schema
  /** Warnings and advice; errors are thrown when the query is made. */
  readonly diagnostics: readonly Diagnostic[]
  /**
   * The answer in order, pulled: nothing is computed ahead of what is read, and returning early stops the work. Each
   * call runs the query again. Throws SluiceError `budget/…` when a limit is met or the query cancelled.
   */
  batches(): AsyncIterable<RecordBatch>
  /**
   * As `batches`, row by row: an object a row, keyed by column, of plain values. Times are RFC 3339 text with nanoseconds,
   * integers beyond 2^53 are `bigint`. Columns that a query names are in every row, `null` where missing; others only
   * in rows that have them. `rowsOf` of a batch gives the exact values of its rows.
   */
  rows(): AsyncIterable<Shape>
  /** The whole answer: all objects of `rows`. */
  toArray(): Promise<Shape[]>
  /** What cut the answer of the latest run short: a limit, and which. `undefined` for a whole answer. */
  partial(): Diagnostic | undefined
  /** Of the latest run. */
  statistics(): QueryStatistics
  /** Who runs what, with measures of the latest run; under a data scope those of the last stage of each part alone. */
  explain(): ExplainTree
}

/** A query of a text, a Pipeline or a plan. */
export interface QueryResult<Shape extends object = PlainRow> extends Answer<Shape> {
  /** True when a row stands for a group of records rather than for one. */
  readonly isAggregate: boolean
  /** The plan as it will run, before parts are given to backends. */
  readonly plan: LogicalPlan
  /**
   * Warnings about names: fields that no row has, and values that no row has as a field of few, each with the nearest
   * ones that rows have. Looks only at rows that the caller may see, and reads some where nothing else knows; never throws
   * for a limit. `text` is the query's, for fixes.
   */
  advice(text?: string): Promise<readonly Diagnostic[]>
  /**
   * Warnings about rows: that none lies in the range, and where they do; how many values a sum leaves out. To be asked before `advice`,
   * once the answer has been read. It tells of all rows, so there is none under a data scope; never throws for a limit.
   */
  rowAdvice(): Promise<readonly Diagnostic[]>
  /** Asks databases how they mean to run their statements, or have run them: `explain()` shows it from then on. */
  askPlans(): Promise<void>
  /**
   * While `batches` is being read: what the answer would be if the input ended now, where rows are added up as they come.
   * The run goes on; the look has limits of its own. `undefined` where nobody can tell, and under a data scope.
   */
  soFar(): AsyncIterable<RecordBatch> | undefined
}
