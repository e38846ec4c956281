import { resolve } from 'node:path'
import { checkAlertApi } from './alerts-api.ts'
import { checkAlertDelivery } from './alerts-delivery.ts'
import { checkAlertsDerived } from './alerts-derived.ts'
import { checkAlertLive } from './alerts-live.ts'
import { checkAlertLogRules } from './alerts-logsql-rules.ts'
import { checkAlertsMonitors } from './alerts-monitors.ts'
import { checkAlertPayloads } from './alerts-payloads.ts'
import { checkAlertRuleFiles } from './alerts-rule-files.ts'
import { checkAlertRules } from './alerts-rules.ts'
import { checkAlertSilences } from './alerts-silences.ts'
import { checkAlertTemplates } from './alerts-templates.ts'
import type { VectorSet } from './report.ts'

const checks = [
  checkAlertSilences,
  checkAlertTemplates,
  checkAlertsDerived,
  checkAlertsMonitors,
  checkAlertRuleFiles,
  checkAlertRules,
  checkAlertLogRules,
  checkAlertLive,
  checkAlertDelivery,
  checkAlertPayloads,
  checkAlertApi,
]

/** All vectors for alerting. */
export const alertVectors: VectorSet = {
  language: 'alerts',
  directory: resolve(import.meta.dirname, '../../../shared/vectors/alerts'),
  run: async (directory) => {
    const outcomes = []
    for (const check of checks) outcomes.push(...(await check(directory)))
    return outcomes
  },
}
