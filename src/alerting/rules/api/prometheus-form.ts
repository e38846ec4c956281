import { formatRfc3339 } from '../../../base/index.ts'
import { compareText } from '../../../data/index.ts'
import type { AlertStatus, AlertingRuleStatus, GroupStatus, RuleStatus } from '../status.ts'
import { selectGroups, type RuleFilters } from './rule-filters.ts'

/** Go's zero time, for a rule that has not been evaluated. */
const NEVER = '0001-01-01T00:00:00Z'

type Texts = Readonly<Record<string, string>>

export interface AlertForm {
  readonly labels: Texts
  readonly annotations: Texts
  readonly state: string
  readonly activeAt: string
  readonly keepFiringSince?: string
  readonly value: string
}

interface RuleFormParts {
  readonly name: string
  readonly query: string
  readonly health: string
  readonly lastError?: string
  /** Duration of the latest evaluation, seconds. */
  readonly evaluationTime: number
  readonly lastEvaluation: string
}

export interface AlertingRuleForm extends RuleFormParts {
  readonly type: 'alerting'
  readonly state: string
  /** `for` of the rule, seconds. */
  readonly duration: number
  /** `keep_firing_for` of the rule, seconds. */
  readonly keepFiringFor: number
  readonly labels: Texts
  readonly annotations: Texts
  readonly alerts: readonly AlertForm[]
}

export interface RecordingRuleForm extends RuleFormParts {
  readonly type: 'recording'
  readonly labels?: Texts
}

export interface GroupForm {
  readonly name: string
  readonly file: string
  readonly rules: readonly (AlertingRuleForm | RecordingRuleForm)[]
  /** Time between evaluations, seconds. */
  readonly interval: number
  readonly limit: number
  /** Duration of the latest evaluation, seconds. */
  readonly evaluationTime: number
  readonly lastEvaluation: string
}

/** Formats a time as Go does, with only the necessary fractional digits. */
function timeForm(ms: number | undefined): string {
  return ms === undefined ? NEVER : formatRfc3339(BigInt(Math.round(ms)) * 1_000_000n, true)
}

/** Formats a number as Go's `%e` with the fewest digits and an exponent of at least two digits: `2.5e+00`. */
export function exponentText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const sign = Object.is(value, -0) ? '-' : ''
  return sign + value.toExponential().replace(/(?<=e[+-])\d$/, '0$&')
}

function alertForm({ labels, annotations, state, activeAtMs, keepFiringSinceMs, value }: AlertStatus): AlertForm {
  return {
    labels: labels.toRecord(),
    annotations: annotations.toRecord(),
    state,
    activeAt: timeForm(activeAtMs),
    ...(keepFiringSinceMs === undefined ? {} : { keepFiringSince: timeForm(keepFiringSinceMs) }),
    value: exponentText(value),
  }
}

/** Returns the highest state among the alerts of a rule. */
function stateOf({ alerts }: AlertingRuleStatus): AlertStatus['state'] {
  if (alerts.some(({ state }) => state === 'firing')) return 'firing'
  return alerts.length > 0 ? 'pending' : 'inactive'
}

function ruleForm(rule: RuleStatus, excludesAlerts: boolean): AlertingRuleForm | RecordingRuleForm {
  const { name, query, labels, health, lastError } = rule
  const outcome = {
    health,
    ...(lastError === '' ? {} : { lastError }),
    evaluationTime: rule.evaluationMs / 1000,
    lastEvaluation: timeForm(rule.lastEvaluationMs),
  }
  if (rule.kind === 'recording')
    return { name, query, ...(labels.size === 0 ? {} : { labels: labels.toRecord() }), ...outcome, type: 'recording' }
  return {
    state: stateOf(rule),
    name,
    query,
    duration: rule.forMs / 1000,
    keepFiringFor: rule.keepFiringForMs / 1000,
    labels: labels.toRecord(),
    annotations: rule.annotations.toRecord(),
    alerts: excludesAlerts ? [] : rule.alerts.map(alertForm),
    ...outcome,
    type: 'alerting',
  }
}

function groupForm(group: GroupStatus, excludesAlerts: boolean): GroupForm {
  const { name, file, rules, intervalMs, limit, evaluationMs, lastEvaluationMs } = group
  return {
    name,
    file,
    rules: rules.map((rule) => ruleForm(rule, excludesAlerts)),
    interval: intervalMs / 1000,
    limit,
    evaluationTime: evaluationMs / 1000,
    lastEvaluation: timeForm(lastEvaluationMs),
  }
}

/**
 * Returns `data` of the answer to `GET /api/v1/rules`: groups sorted by file and name. Throws SluiceError
 * `rules/bad-parameter`.
 */
export function rulesForm(
  groups: readonly GroupStatus[],
  filters: RuleFilters,
): { readonly groups: readonly GroupForm[]; readonly groupNextToken?: string } {
  const ordered = groups.toSorted((a, b) => compareText(a.file, b.file) || compareText(a.name, b.name))
  const { groups: selected, nextToken } = selectGroups(ordered, filters)
  return {
    groups: selected.map((group) => groupForm(group, filters.excludesAlerts)),
    ...(nextToken === undefined ? {} : { groupNextToken: nextToken }),
  }
}

/** Returns `data` of the answer to `GET /api/v1/alerts`: the pending and firing alerts of all rules. */
export function alertsForm(groups: readonly GroupStatus[]): { readonly alerts: readonly AlertForm[] } {
  const rules = groups.flatMap((group) => group.rules)
  return { alerts: rules.flatMap((rule) => (rule.kind === 'alerting' ? rule.alerts.map(alertForm) : [])) }
}
