import type { Labels } from '../../data/index.ts'

/** An active alert for the API. Times are Unix ms. */
export interface AlertStatus {
  readonly labels: Labels
  readonly annotations: Labels
  readonly state: 'inactive' | 'pending' | 'firing'
  readonly activeAtMs: number
  readonly keepFiringSinceMs?: number | undefined
  readonly value: number
}

interface RuleStatusParts {
  readonly name: string
  readonly query: string
  readonly labels: Labels
  readonly health: 'unknown' | 'ok' | 'err'
  /** Error of the latest evaluation; empty if it succeeded. */
  readonly lastError: string
  /** Duration of the latest evaluation in ms. */
  readonly evaluationMs: number
  /** Time of the latest evaluation; `undefined` before the first. */
  readonly lastEvaluationMs: number | undefined
}

export interface AlertingRuleStatus extends RuleStatusParts {
  readonly kind: 'alerting'
  readonly forMs: number
  readonly keepFiringForMs: number
  readonly annotations: Labels
  /** Pending and firing alerts. */
  readonly alerts: readonly AlertStatus[]
}

export interface RecordingRuleStatus extends RuleStatusParts {
  readonly kind: 'recording'
}

export type RuleStatus = AlertingRuleStatus | RecordingRuleStatus

/** A rule group for the API. */
export interface GroupStatus {
  readonly file: string
  readonly name: string
  readonly intervalMs: number
  readonly limit: number
  readonly evaluationMs: number
  readonly lastEvaluationMs: number | undefined
  readonly rules: readonly RuleStatus[]
}
