export { isFiring, type Alert } from './alert.ts'
export { Evaluator, type EvaluatorStep, type MonitorStatus, type StoredMonitor, type Tick } from './evaluator.ts'
export { checkMonitor, runQueries, type QueryTools } from './monitors/index.ts'
