export type { GeneralReader, RecordFormat, RecordSink } from './general-reader.ts'
export { jsonTemplate } from './json-template.ts'
export { jsonRecords, type Envelopes } from './json-records.ts'
export { RecordReader, type AppendReport, type BadRecord, type RecordsReading } from './record-reader.ts'
export { RecordScanner, recordsAt, recordsEnd, type ScannedTemplate } from './record-scanner.ts'
export {
  lineRecordEnd,
  type RecordForm,
  type RecordTemplate,
  type TemplateMember,
  type ValueSyntax,
} from './record-template.ts'
export type { ScanOptions } from './scan-options.ts'
export type { ScannedRecords } from './scanned-records.ts'
