import { defaultValueLimits, type BudgetLimits, type ValueLimits } from '../base/index.ts'

/** Every bound of a query's run and its default; those of the query text stand in the front end, those of HTTP in the shim. */
export interface EngineLimits extends Omit<BudgetLimits, keyof ValueLimits>, ValueLimits {
  /** Rows of a batch at most. */
  readonly batchRows: number
  /** Rows of an answer at most; what is beyond is not given and the answer says so. */
  readonly answerRows: number
  /** Values that a subquery may give to `in (…)`. */
  readonly subqueryValues: number
  /** Rows that may cross from the backend that has the data to the one that goes on. */
  readonly bridgeRows: number
  /** Passes over the rules. */
  readonly optimizerPasses: number
  /** A longer time range gets a lint. */
  readonly wideRangeNs: bigint
}

const DAY_NS = 86_400_000_000_000n

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
}
