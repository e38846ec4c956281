import { DAY_NS, defaultValueLimits, type BudgetLimits, type ValueLimits } from '../base/index.ts'

/**
 * All limits on running a query, with their defaults. Limits on query texts are defined by the parsers, and limits on
 * HTTP by the server.
 */
export interface EngineLimits extends Omit<BudgetLimits, keyof ValueLimits>, ValueLimits {
  /** Maximum number of rows in a batch of an answer. */
  readonly batchRows: number
  /**
   * Maximum number of rows of an answer. A longer answer is truncated, which the diagnostic `engine/answer-cut`
   * reports.
   */
  readonly answerRows: number
  /** Maximum number of values of a subquery in `in (…)`. Exceeding it is an error. */
  readonly subqueryValues: number
  /** Maximum number of rows passed from one backend to another. Exceeding it is an error. */
  readonly bridgeRows: number
  /** Maximum number of passes of the optimizer over its rules. */
  readonly optimizerPasses: number
  /** Length of a time range, ns, above which a query gets the lint `wide-time-range`. */
  readonly wideRangeNs: bigint
  /** Estimated number of rows of the answer above which a query gets the lint `no-limit`. */
  readonly manyRows: number
  /** Estimated number of rows to read above which a query over a wide range gets the lint `wide-time-range`. */
  readonly costlyRows: number
  /** Maximum time for reading rows to find unknown names, ms. 0: no rows are read for this purpose. */
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
