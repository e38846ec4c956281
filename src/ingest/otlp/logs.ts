import { Instant, type MutableRow } from '../../data/index.ts'
import { addAttributes, bodyValue, idText, resourceFields, unixNano } from './attributes.ts'
import type { LogRecord, LogsRequest } from './messages.ts'

const SEVERITY_NAMES = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

function levelOf(record: LogRecord): string | undefined {
  const text = record.severityText?.trim().toLowerCase()
  if (text !== undefined && text !== '') return text === 'warning' ? 'warn' : text
  const number = record.severityNumber ?? 0
  return number >= 1 && number <= 24 ? SEVERITY_NAMES[Math.floor((number - 1) / 4)] : undefined
}

/** The records of an export of logs, resource attributes on each. */
export function logRecordsOf(request: LogsRequest): MutableRow[] {
  const rows: MutableRow[] = []
  for (const { resource, scopeLogs } of request.resourceLogs ?? []) {
    const shared = resourceFields(resource?.attributes)
    for (const { scope, logRecords } of scopeLogs ?? []) {
      for (const record of logRecords ?? []) {
        const row: MutableRow = new Map(shared)
        if (scope?.name !== undefined && scope.name !== '') row.set('scope.name', scope.name)
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
        rows.push(row)
      }
    }
  }
  return rows
}
