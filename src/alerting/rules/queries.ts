import type { Histogram, Labels, Row } from '../../data/index.ts'
import type { NewSample } from '../../store/samples/index.ts'

/** One sample of the result of an expression. */
export interface RuleSample {
  readonly labels: Labels
  readonly value: number
  /** Used instead of `value`. */
  readonly histogram?: Histogram | undefined
}

/** The result of an expression at one time; a scalar is one sample without labels. */
export type RuleResult = readonly RuleSample[]

/** Runs the queries of rules. */
export interface RuleQueries {
  /** Evaluates a PromQL expression. Rejects if the expression fails, and if it is neither a vector nor a scalar. */
  instant(expression: string, atMs: number): Promise<RuleResult>
  /**
   * Runs a log query of the dialect `logsql` with `now` at a time, over the rows of the window before this time.
   * Without a window the query selects its time range itself. Without this method log queries fail.
   */
  logRows?(text: string, atMs: number, windowMs: number | undefined): Promise<readonly Row[]>
}

/** A sample of a series that a rule writes. */
export interface WrittenSample {
  readonly labels: Labels
  readonly sample: NewSample
}

/** Stores the samples that rules write. */
export interface SampleSink {
  /** Stores samples so that the next query sees them. Rejects if one of them cannot be stored. */
  write(samples: readonly WrittenSample[]): Promise<void> | void
}
