import type { Turns } from '../../base/index.ts'
import { Instant, type MutableRow } from '../../data/index.ts'
import { addAttributes, bodyValue, idText, unixNano } from './attributes.ts'
import type { MessageReader } from './message-reader.ts'
import type { KeyValue, LogRecord, LogsRequest } from './messages.ts'
import {
  RecordsReader,
  countParts,
  parsedRecords,
  rowsOf,
  type ReadRecords,
  type SharedFields,
} from './sent-records.ts'

const SEVERITY_NAMES = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

function levelOf(record: LogRecord): string | undefined {
  const text = record.severityText?.trim().toLowerCase()
  if (text !== undefined && text !== '') return text === 'warning' ? 'warn' : text
  const number = record.severityNumber ?? 0
  return number >= 1 && number <= 24 ? SEVERITY_NAMES[Math.floor((number - 1) / 4)] : undefined
}

function logRow(record: LogRecord, { resource, scopeName }: SharedFields): MutableRow {
  const row: MutableRow = new Map(resource)
  if (scopeName !== undefined && scopeName !== '') row.set('scope.name', scopeName)
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

function readLog(from: MessageReader, start: number, end: number): LogRecord {
  const { reader } = from
  const attributes: KeyValue[] = []
  const record: { -readonly [K in keyof LogRecord]: LogRecord[K] } = { attributes }
  from.fields(start, end, (field) => {
    if (field === 1) record.timeUnixNano = from.fixed64()
    else if (field === 2) record.severityNumber = reader.int32()
    else if (field === 3) record.severityText = reader.string()
    else if (field === 5) record.body = from.value(end)
    else if (field === 6) attributes.push(from.attribute(end))
    else if (field === 9) record.traceId = reader.bytes()
    else if (field === 10) record.spanId = reader.bytes()
    else if (field === 11) record.observedTimeUnixNano = from.fixed64()
    else if (field === 12) record.eventName = reader.string()
    else return from.unread()
    return true
  })
  return record
}

/** The records of an export of logs in protobuf, resource attributes on each. Throws an Error on bytes that are not one. */
export function readLogs(bytes: Uint8Array): Turns<ReadRecords> {
  const parts = countParts()
  return rowsOf(new RecordsReader(bytes, parts, readLog).records(), parts, logRow)
}

/** The same of a parsed document. */
export function readParsedLogs({ resourceLogs }: LogsRequest): Turns<ReadRecords> {
  const parts = countParts()
  const records = parsedRecords(
    resourceLogs,
    ({ scopeLogs }) => scopeLogs,
    ({ logRecords }) => logRecords,
    parts,
  )
  return rowsOf(records, parts, logRow)
}
