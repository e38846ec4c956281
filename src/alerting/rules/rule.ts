import type { Labels } from '../../data/index.ts'
import type { LogRule } from './logs/log-rule.ts'
import type { TextTemplate } from './text-template.ts'

interface RuleParts {
  /** Name of the alert or of the recorded metric. */
  readonly name: string
  /** The expression: PromQL in canonical form, or a log query as written. */
  readonly expression: string
  /** Set if the expression is a log query. */
  readonly log: LogRule | undefined
  /** Labels of the group and the rule as written; those of the rule override those of the group. */
  readonly labels: Labels
}

/** A rule that makes alerts of the series of its expression. */
export interface AlertingRule extends RuleParts {
  readonly kind: 'alerting'
  /** Time in ms for which the expression must hold before an alert fires. */
  readonly forMs: number
  /** Time in ms for which an alert continues to fire after its last match. */
  readonly keepFiringForMs: number
  readonly annotations: Labels
  readonly labelTemplates: readonly TextTemplate[]
  readonly annotationTemplates: readonly TextTemplate[]
}

/** A rule that records the result of its expression as new series. */
export interface RecordingRule extends RuleParts {
  readonly kind: 'recording'
}

export type Rule = AlertingRule | RecordingRule

/** A group of rules as its file defines it. */
export interface GroupDefinition {
  readonly name: string
  /** Time in ms between evaluations; `undefined` for the default of the server. */
  readonly intervalMs: number | undefined
  /** Time in ms by which expressions are evaluated earlier than the group. */
  readonly queryOffsetMs: number
  /** Maximum number of alerts, or of recorded series, of one rule; without a limit 0 or below. */
  readonly limit: number
  readonly rules: readonly Rule[]
}
