export { openBatchLog, type Batch, type DurableStore } from './batch-log.ts'
export { durableDiagnostic } from './diagnostics.ts'
