import type { StepwiseTask } from '../../base/index.ts'
import { Instant, type MutableRow } from '../../data/index.ts'
import { levelOfNumber } from '../../store/index.ts'
import { addAttributes, bodyValue, idFault, idText, unixNano } from './attributes.ts'
import type { LogRecord, LogsRequest } from './messages.ts'
import { countParts, parsedRecords, rowsOf, type ReadRecords, type SharedFields } from './sent-records.ts'

/** Returns the level of a record. */
export function levelOf(record: Pick<LogRecord, 'severityNumber' | 'severityText'>): string | undefined {
  const text = record.severityText?.trim().toLowerCase()
  if (text !== undefined && text !== '') return text === 'warning' ? 'warn' : text
  return levelOfNumber(record.severityNumber ?? 0, 'otel')
}

/** Returns the fields with which all records of a scope begin. */
export function sharedLogFields({ resource, scope: { name } }: SharedFields): MutableRow {
  const row: MutableRow = new Map(resource)
  if (name !== undefined && name !== '') row.set('scope.name', name)
  return row
}

export function logRow(record: LogRecord, shared: SharedFields): MutableRow {
  const row = sharedLogFields(shared)
  addAttributes(row, record.attributes)
  const timeNs = unixNano(record.timeUnixNano) ?? unixNano(record.observedTimeUnixNano)
  if (timeNs !== undefined) row.set('_time', new Instant(timeNs))
  const level = levelOf(record)
  if (level !== undefined) row.set('level', level)
  const traceId = idText(record.traceId)
  if (traceId !== null) row.set('trace_id', traceId)
  const spanId = idText(record.spanId)
  if (spanId !== null) row.set('span_id', spanId)
  if (record.eventName !== undefined && record.eventName !== '') row.set('event.name', record.eventName)
  const body = bodyValue(record.body)
  if (body !== null) row.set('content', body)
  return row
}

/** Reads the records of a log export in a parsed document. Each record gets the resource attributes. */
export function readParsedLogs({ resourceLogs }: LogsRequest): StepwiseTask<ReadRecords> {
  const parts = countParts()
  const records = parsedRecords<LogRecord>(resourceLogs, 'scopeLogs', 'logRecords', parts)
  return rowsOf(records, parts, (record, shared) => idFault(record.traceId, record.spanId) ?? logRow(record, shared))
}
