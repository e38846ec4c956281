import { DAY_NS, defaultValueLimits, type BudgetLimits, type ValueLimits } from '../base/index.ts'

/** Every bound of a query's run and its default; those of the query text stand in the front end, those of HTTP in the shim. */
export interface EngineLimits extends Omit<BudgetLimits, keyof ValueLimits>, ValueLimits {
  /** How many rows a batch of an answer has at most. */
  readonly batchRows: number
  /** How many rows an answer has at most; it is cut there, and its diagnostics say so (`engine/answer-cut`). */
  readonly answerRows: number
  /** How many values the subquery of an `in (…)` may give; more are an error. */
  readonly subqueryValues: number
  /** How many rows may pass from the backend that has the data to the one that goes on; more are an error. */
  readonly bridgeRows: number
  /** How often the rules of the optimizer are gone through at most. */
  readonly optimizerPasses: number
  /** A query over a longer time range, in ns, gets the lint `wide-time-range`. */
  readonly wideRangeNs: bigint
  /** A query that gives more rows than this, by estimate, gets the lint `no-limit`. */
  readonly manyRows: number
  /** A query over a wide range that reads more rows than this, by estimate, gets the lint `wide-time-range`. */
  readonly costlyRows: number
  /** So long rows may be read, milliseconds, never with 0, to find out whether some row has a name that is not known, where they must be read. */
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
