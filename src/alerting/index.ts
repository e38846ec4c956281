export { isFiring, type Alert } from './alert.ts'
export { Evaluator, type EvaluatorStep, type MonitorStatus, type StoredMonitor, type Tick } from './evaluator.ts'
export {
  checkMonitor,
  decodeOutcome,
  encodeOutcome,
  runQueries,
  type MonitorDefinition,
  type OutcomeJson,
  type QueryOutcome,
  type QueryTools,
} from './monitors/index.ts'
export type { AlertingFigures, AlertingService } from './service/index.ts'
