export { checkMonitor } from './check.ts'
export { monitorDefinition, type MonitorDefinition, type NotificationSettings } from './definition.ts'
export {
  alertsOf,
  evaluateMonitor,
  initialRecord,
  type InstanceDetails,
  type MonitorAlert,
  type MonitorRecord,
  type MonitorStep,
  type TemplateEnvironment,
} from './evaluate.ts'
export {
  monitorTables,
  runQueries,
  runTemplateQuery,
  samplesOfOutcome,
  templateQuery,
  TEMPLATE_WINDOW_MS,
  type QueryPlace,
  type QueryTools,
} from './query.ts'
export { QueryFault, type QueryOutcome, type QueryOutput } from './query-output.ts'
export { durationMs } from './window.ts'
export {
  decodeOutcome,
  decodeValue,
  encodeOutcome,
  encodeValue,
  type OutcomeJson,
  type ValueJson,
} from './outcome-json.ts'
