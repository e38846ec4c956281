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
  RowReader,
  outcomeOf,
  resultPlan,
  resultsOfAnswer,
  runQueries,
  runQuery,
  runTemplateQuery,
  samplesOfOutcome,
  templateQuery,
  TEMPLATE_WINDOW_MS,
  type RowResult,
} from './query.ts'
export { queryColumns, type QueryColumns } from './query-columns.ts'
export { QueryFault, SeriesCollector, type QueryOutcome, type QueryOutput } from './query-output.ts'
export {
  MAX_POINTS,
  isRange,
  languageFor,
  metricGuard,
  monitorTables,
  readLogQuery,
  readMetricQuery,
  toNs,
  windowOf,
  type LogQuery,
  type QueryLocation,
  type QueryTools,
  type Window,
} from './read-query.ts'
export { durationMs } from './window.ts'
export {
  decodeOutcome,
  decodeValue,
  encodeOutcome,
  encodeValue,
  type OutcomeJson,
  type ValueJson,
} from './outcome-json.ts'
