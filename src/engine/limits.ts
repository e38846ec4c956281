import { DAY_NS, defaultValueLimits, type BudgetLimits, type ValueLimits } from '../base/index.ts'

/**
 * All limits of running a query, with their defaults. Limits of query texts belong to the parsers, those of HTTP to the
 * server.
 */
export interface EngineLimits extends Omit<BudgetLimits, keyof ValueLimits>, ValueLimits {
  /** Maximum number of rows in a batch of an answer. */
  readonly batchRows: number
  /**
   * Maximum number of rows of an answer. A longer answer is truncated, and a diagnostic reports this
   * (`engine/answer-cut`).
   */
  readonly answerRows: number
  /** Maximum number of values of a subquery in `in (…)`. More values are an error. */
  readonly subqueryValues: number
  /** Maximum number of rows passed from one backend to another. More rows are an error. */
  readonly bridgeRows: number
  /** Maximum number of passes of the optimizer over its rules. */
  readonly optimizerPasses: number
  /** Time range in ns above which a query gets the lint `wide-time-range`. */
  readonly wideRangeNs: bigint
  /** Estimated number of result rows above which a query gets the lint `no-limit`. */
  readonly manyRows: number
  /** Estimated number of read rows above which a query over a wide range gets the lint `wide-time-range`. */
  readonly costlyRows: number
  /**
   * Maximum time in ms for reading rows to find out whether names are unknown; 0 means that no rows are read for this.
   */
  readonly adviceMs: number
}

export const defaultEngineLimits: EngineLimits = {
  memoryBytes: 256 * 1024 * 1024,
  timeoutMs: 60_000,
  scanRows: Number.MAX_SAFE_INTEGER,
  ...defaultValueLimits,
  batchRows: 4096,
  answerRows: Number.MAX_SAFE_INTEGER,
  subqueryValues: 1_000_000,
  bridgeRows: 5_000_000,
  optimizerPasses: 8,
  wideRangeNs: 7n * DAY_NS,
  manyRows: 100_000,
  costlyRows: 10_000_000,
  adviceMs: 1_000,
}
