export { isFiring, type Alert } from './alert.ts'
export { Evaluator, type EvaluatorStep, type MonitorStatus, type StoredMonitor, type Tick } from './evaluator.ts'
export {
  checkMonitor,
  decodeOutcome,
  monitorTables,
  encodeOutcome,
  TEMPLATE_WINDOW_MS,
  runQueries,
  samplesOfOutcome,
  templateQuery,
  type MonitorDefinition,
  type OutcomeJson,
  type QueryOutcome,
  type QueryTools,
} from './monitors/index.ts'
export type { AlertingFigures, AlertingService } from './service/index.ts'
export type { TemplateSample } from './templates/index.ts'
