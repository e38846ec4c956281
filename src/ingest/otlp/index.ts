export { readLogs, readParsedLogs } from './logs.ts'
export { encodeExportResponse, type LogsRequest, type TraceRequest } from './messages.ts'
export type { ReadRecords } from './sent-records.ts'
export { readParsedSpans, readSpans } from './spans.ts'
