export { checkMonitor } from './check.ts'
export { monitorDefinition, type MonitorDefinition } from './definition.ts'
export {
  alertsOf,
  evaluateMonitor,
  initialRecord,
  type InstanceDetails,
  type MonitorRecord,
  type MonitorStep,
  type QueryOutcome,
  type TemplateEnvironment,
} from './evaluate.ts'
export { checkQuery, runQuery, type QueryPlace, type QueryTools } from './query.ts'
export { QueryFault, type QueryOutput } from './query-output.ts'
