import type { Histogram, Labels, Row } from '../../data/index.ts'
import type { NewSample } from '../../store/samples/index.ts'

/** One sample of the result of an expression. */
export interface RuleSample {
  readonly labels: Labels
  readonly value: number
  /** Value of a histogram sample; replaces `value`. */
  readonly histogram?: Histogram | undefined
}

/** Result of an expression at one time. A scalar is one sample without labels. */
export type RuleResult = readonly RuleSample[]

/** Runs the queries of rules. */
export interface RuleQueries {
  /** Evaluates a PromQL expression. Rejects if it fails or if its result is neither a vector nor a scalar. */
  instant(expression: string, atMs: number): Promise<RuleResult>
  /**
   * Runs a log query in the dialect `logsql` at a time, over the rows of the window before it. Without a window, the
   * query selects its time range itself. If this method is missing, log queries fail.
   */
  logRows?(text: string, atMs: number, windowMs: number | undefined): Promise<readonly Row[]>
}

/** A sample that a rule writes. */
export interface WrittenSample {
  readonly labels: Labels
  readonly sample: NewSample
}

/** Stores the samples that rules write. */
export interface SampleSink {
  /** Stores samples; the next query must see them. Rejects if a sample cannot be stored. */
  write(samples: readonly WrittenSample[]): Promise<void> | void
}
