export {
  BatchLogs,
  decodeBatch,
  logged,
  readBatches,
  type Batch,
  type DurableStore,
  type LogExtent,
  type LogMark,
  type Logged,
} from './batch-log.ts'
export * from './batch-parts.ts'
export * from './data-folder.ts'
export { DiskReserve } from './disk-reserve.ts'
export { durableDiagnostic, isOfOtherBuild, isReadFailed, readFailure, writeFailure } from './diagnostics.ts'
export * from './files.ts'
export { isDataFolder, repairFolder, surveyFolder, type FolderSurvey, type LogSurvey } from './repair.ts'
export { LOCK_FILE, MARKER_FILE, emptyLog, type LogEnd } from './log-format.ts'
export {
  Manifest,
  checkLog,
  inFiles,
  isFileName,
  liveRowGroups,
  manifestOf,
  noteLogEnds,
  tableKey,
  type DictionariesEntry,
  type DictionaryRecord,
  type BatchNumbers,
  type ManifestEdit,
  type ManifestState,
  type PartEntry,
  type PartSummary,
  type RowGroupEntry,
  type TableEdit,
  type TableEntry,
} from './manifest.ts'
export { NewLog, type RecordBody } from './new-log.ts'
export { retryIfReplaced } from './retry-if-replaced.ts'
export { RecordLog } from './record-log.ts'
export { copyLog, readLog, type LogRecord } from './read-log.ts'
