import type { Labels } from '../../data/index.ts'
import type { LogRule } from './logs/log-rule.ts'
import type { TextTemplate } from './text-template.ts'

interface RuleParts {
  /** Name of the alert or of the recorded metric. */
  readonly name: string
  /** The expression: PromQL in canonical form, or the text of a log query. */
  readonly expression: string
  /** The parsed log query, if the expression is one. */
  readonly log: LogRule | undefined
  /** Labels of the group and the rule, unexpanded; those of the rule take precedence. */
  readonly labels: Labels
}

/** A rule that creates an alert for each series of its expression. */
export interface AlertingRule extends RuleParts {
  readonly kind: 'alerting'
  /** Time for which the expression must be true before an alert fires, ms. */
  readonly forMs: number
  /** Time for which an alert keeps firing after its last match, ms. */
  readonly keepFiringForMs: number
  readonly annotations: Labels
  readonly labelTemplates: readonly TextTemplate[]
  readonly annotationTemplates: readonly TextTemplate[]
}

/** A rule that stores the result of its expression as new series. */
export interface RecordingRule extends RuleParts {
  readonly kind: 'recording'
}

export type Rule = AlertingRule | RecordingRule

/** A group of rules as its file defines it. */
export interface GroupDefinition {
  readonly name: string
  /** Interval between evaluations, ms; `undefined` for the server's default. */
  readonly intervalMs: number | undefined
  /** Offset by which the expressions are evaluated in the past, ms. */
  readonly queryOffsetMs: number
  /** Maximum number of alerts or recorded series of a rule; unlimited if 0 or negative. */
  readonly limit: number
  readonly rules: readonly Rule[]
}
