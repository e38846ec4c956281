import type { HeldMonitor } from '../../../resources/index.ts'
import { fault } from '../../errors/http-fault.ts'
import { defineReadRoutes, type ReadCall } from './define-read-routes.ts'
import { dataResponse } from './respond.ts'
import { alertsAnswer, rulesAnswer } from './schemas.ts'
import { actorOf } from '../../resources/actor.ts'

/** Monitors are not evaluated: Prometheus writes this time for "never". */
const NEVER = '0001-01-01T00:00:00Z'
const FILE = 'monitors'

function groupOf({ title, queries, intervalSeconds, pendingSeconds, labels, annotations }: HeldMonitor) {
  const rules = queries.map((query) => ({
    type: 'alerting',
    name: title,
    query,
    duration: pendingSeconds,
    keepFiringFor: 0,
    labels,
    annotations,
    alerts: [],
    state: 'inactive',
    health: 'unknown',
    evaluationTime: 0,
    lastEvaluation: NEVER,
  }))
  return {
    name: title,
    file: FILE,
    interval: intervalSeconds,
    limit: 0,
    evaluationTime: 0,
    lastEvaluation: NEVER,
    rules,
  }
}

/** Requested groups, one for each monitor. */
function groupsOf({ context, identity, parameters }: ReadCall): readonly ReturnType<typeof groupOf>[] {
  const type = parameters.get('type')
  if (type !== undefined && type !== 'alert' && type !== 'record') {
    throw fault('bad-parameter', { name: 'type', expected: '`alert` or `record`', found: JSON.stringify(type) })
  }
  const isWanted = (name: string, value: string): boolean => {
    const wanted = parameters.all(name)
    return wanted.length === 0 || wanted.includes(value)
  }
  // Monitors are alerts; there are no recording rules.
  if (type === 'record' || !isWanted('file[]', FILE)) return []
  const held = context.monitors?.held(actorOf(identity)) ?? []
  return held.filter(({ title }) => isWanted('rule_group[]', title) && isWanted('rule_name[]', title)).map(groupOf)
}

const ruleRoutes = defineReadRoutes({
  name: 'prometheusRules',
  path: '/api/v1/rules',
  summary: 'List the monitors as alerting rules',
  parameters: {
    type: '`alert` or `record`.',
    'rule_name[]': 'Only rules of this name; may repeat.',
    'rule_group[]': 'Only groups of this name; may repeat.',
    'file[]': 'Only groups of this file; may repeat.',
  },
  answer: rulesAnswer,
  hasForm: false,
  isQuery: false,
  handle: async (call) => dataResponse({ groups: groupsOf(call) }, call),
})

const alertRoutes = defineReadRoutes({
  name: 'prometheusAlerts',
  path: '/api/v1/alerts',
  summary: 'List active alerts; always empty, because monitors are not evaluated yet',
  parameters: {},
  answer: alertsAnswer,
  hasForm: false,
  isQuery: false,
  handle: (call) => dataResponse({ alerts: [] }, call),
})

export const prometheusRuleRoutes = [...ruleRoutes, ...alertRoutes]
