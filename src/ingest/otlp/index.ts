export { logRecordsOf } from './logs.ts'
export {
  decodeLogsRequest,
  decodeTraceRequest,
  encodeExportResponse,
  type LogsRequest,
  type TraceRequest,
} from './messages.ts'
export { spansOf } from './spans.ts'
