import {
  alertsForm,
  readRuleFilters,
  rulesForm,
  type AlertStatus,
  type GroupStatus,
} from '../../../alerting/rules/index.ts'
import { monitorTables, type MonitorStatus } from '../../../alerting/index.ts'
import type { DataScope } from '../../../policy/index.ts'
import { Labels } from '../../../data/index.ts'
import type { HeldMonitor, MonitorService } from '../../../resources/index.ts'
import { labelVisibility } from '../../search/label-visibility.ts'
import type { ServerContext } from '../definition/context.ts'
import { actorOf } from '../../resources/actor.ts'
import { defineRoutesOver, type ReadCall } from './define-read-routes.ts'
import { dataResponse } from './respond.ts'
import { alertsAnswer, rulesAnswer } from './schemas.ts'

/** Name that groups of monitors report as their rule file. */
const FILE = 'monitors'

/**
 * Returns the pending and firing instances that a caller may see. Instances for missing data or an error count as
 * firing.
 */
function alertsOf({ definition, record }: MonitorStatus, scope: DataScope | undefined): readonly AlertStatus[] {
  const isVisible = labelVisibility(scope, monitorTables(definition.queries))
  return [...record.state.instances.values()].flatMap((instance): AlertStatus[] => {
    const { labels, state, activeAtMs = 0 } = instance
    if (state === 'Normal' || !isVisible(labels)) return []
    const { annotations = Labels.empty, value = NaN } = record.details.get(labels.key) ?? {}
    return [{ labels, annotations, state: state === 'Pending' ? 'pending' : 'firing', activeAtMs, value }]
  })
}

/** Returns a monitor as a group with one rule. `unusableReason` explains why the monitor has no status. */
function groupOf(
  monitor: HeldMonitor,
  status: MonitorStatus | undefined,
  unusableReason: string | undefined,
  scope: DataScope | undefined,
): GroupStatus {
  const { title, queries, intervalSeconds, pendingSeconds } = monitor
  const evaluatedAtMs = status?.record.state.evaluatedAtMs
  const error = unusableReason ?? status?.record.error
  const times = { evaluationMs: 0, lastEvaluationMs: evaluatedAtMs }
  return {
    name: title,
    file: FILE,
    intervalMs: intervalSeconds * 1000,
    limit: 0,
    ...times,
    rules: [
      {
        kind: 'alerting',
        name: title,
        query: queries.join('\n'),
        forMs: pendingSeconds * 1000,
        keepFiringForMs: status?.definition.rules.keepFiringForMs ?? 0,
        labels: Labels.of(monitor.labels),
        annotations: Labels.of(monitor.annotations),
        health: error !== undefined ? 'err' : evaluatedAtMs === undefined ? 'unknown' : 'ok',
        lastError: error ?? '',
        alerts: status === undefined ? [] : alertsOf(status, scope),
        ...times,
      },
    ],
  }
}

/** Returns a rule group without its alerts. Callers with a data scope get no alerts, because rules read all rows. */
function withoutAlerts(group: GroupStatus): GroupStatus {
  const rules = group.rules.map((rule) => (rule.kind === 'alerting' ? { ...rule, alerts: [] } : rule))
  return { ...group, rules }
}

/** Returns all monitors as groups of one rule, then the groups of rule files. */
function groupsOf({ context, identity, caller, service: stored }: ReadCall<HeldMonitors>): readonly GroupStatus[] {
  const actor = actorOf(identity)
  const { alerting } = context
  const service = alerting?.of(actor.backend)
  const monitors = stored.held(actor)
  const groups = alerting?.rulesOf(actor.backend) ?? []
  return [
    ...monitors.map((monitor) => {
      const { id } = monitor
      return groupOf(monitor, service?.status(id), service?.unusableReason(id), caller.scope)
    }),
    ...(caller.scope === undefined ? groups : groups.map(withoutAlerts)),
  ]
}

type HeldMonitors = Pick<MonitorService, 'held'>

const noMonitors: HeldMonitors = { held: () => [] }

/**
 * Returns the monitors whose rules are shown; `undefined` if there are neither monitors nor samples. Either may be
 * missing.
 */
const monitorsOf = ({ monitors, metricRead }: ServerContext): HeldMonitors | undefined =>
  monitors ?? (metricRead === undefined ? undefined : noMonitors)

const ruleRoutes = defineRoutesOver(monitorsOf, {
  name: 'prometheusRules',
  path: '/api/v1/rules',
  summary: 'List monitors and rule files as groups of rules, with their alerts',
  parameters: {
    type: '`alert` or `record`.',
    'rule_name[]': 'Only rules of this name; may repeat.',
    'rule_group[]': 'Only groups of this name; may repeat.',
    'file[]': 'Only groups of this file; may repeat.',
    'match[]': 'Only rules whose labels match this selector; may repeat.',
    exclude_alerts: '`true` leaves the alerts out.',
    group_limit: 'Most groups in the answer.',
    group_next_token: 'Token of the next page, from the previous answer.',
  },
  answer: rulesAnswer,
  hasForm: false,
  isQuery: false,
  handle: async (call) => dataResponse(rulesForm(groupsOf(call), readRuleFilters(call.parameters.entries())), call),
})

const alertRoutes = defineRoutesOver(monitorsOf, {
  name: 'prometheusAlerts',
  path: '/api/v1/alerts',
  summary: 'List pending and firing alerts of monitors and rule files',
  parameters: {},
  answer: alertsAnswer,
  hasForm: false,
  isQuery: false,
  handle: (call) => dataResponse(alertsForm(groupsOf(call)), call),
})

export const prometheusRuleRoutes = [...ruleRoutes, ...alertRoutes]
