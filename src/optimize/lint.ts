import type { Diagnostic, Interval } from '../base/index.ts'
import type { LogicalPlan } from '../plan/index.ts'
import type { RuleContext } from './rule.ts'

/** A query as lints see it. */
export interface LintSubject {
  /** Bound, before any rule: what the author wrote. */
  readonly plan: LogicalPlan
  /** After the rules: what will be done. */
  readonly optimized: LogicalPlan
  /** The request's range. */
  readonly range: Interval
}

export interface LintContext extends RuleContext {
  /** A longer range is called wide. */
  readonly wideRangeNs: bigint
}

/** Advice on one habit of queries. It changes nothing; its fixes are edits of the query text. */
export interface Lint {
  readonly name: string
  /** One sentence: what it looks for. */
  readonly summary: string
  check(subject: LintSubject, context: LintContext): Iterable<Diagnostic>
}
