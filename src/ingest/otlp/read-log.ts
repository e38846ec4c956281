import type { MessageReader } from './message-reader.ts'
import type { KeyValue, LogRecord } from './messages.ts'

/** The record of a log at `[start, end)`. */
export function readLog(from: MessageReader, start: number, end: number): LogRecord {
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
