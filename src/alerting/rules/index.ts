export {
  alertsForm,
  rulesForm,
  type AlertForm,
  type AlertingRuleForm,
  type GroupForm,
  type RecordingRuleForm,
} from './api/prometheus-form.ts'
export { readRuleFilters, type RuleFilters } from './api/rule-filters.ts'
export type { RuleEnvironment } from './evaluation/environment.ts'
export {
  defaultRestoreSettings,
  type GroupState,
  type RestoreSettings,
  type StoredAlert,
} from './evaluation/restoration.ts'
export { RuleGroup } from './evaluation/rule-group.ts'
export { readRules } from './files/read-rules.ts'
export { readRuleFiles, type FileGroup, type RuleFile } from './files/rule-files.ts'
export type { LogRule } from './logs/log-rule.ts'
export type * from './queries.ts'
export { ruleResult } from './rule-result.ts'
export type * from './rule.ts'
export type * from './status.ts'
export { SourceError } from '../source-error.ts'
