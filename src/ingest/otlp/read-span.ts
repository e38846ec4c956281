import type { MessageReader } from './message-reader.ts'
import type { KeyValue, Span } from './messages.ts'

/** The record of a span at `[start, end)`. */
export function readSpan(from: MessageReader, start: number, end: number): Span {
  const { reader } = from
  const attributes: KeyValue[] = []
  const span: { -readonly [K in keyof Span]: Span[K] } = { attributes }
  from.fields(start, end, (field) => {
    if (field === 1) span.traceId = reader.bytes()
    else if (field === 2) span.spanId = reader.bytes()
    else if (field === 4) span.parentSpanId = reader.bytes()
    else if (field === 5) span.name = reader.string()
    else if (field === 6) span.kind = reader.int32()
    else if (field === 7) span.startTimeUnixNano = from.fixed64()
    else if (field === 8) span.endTimeUnixNano = from.fixed64()
    else if (field === 9) attributes.push(from.attribute(end))
    else if (field === 15) span.status = readStatus(from, from.end(end))
    else return from.unread()
    return true
  })
  return span
}

function readStatus(from: MessageReader, end: number): { readonly message: string; readonly code: number } {
  const { reader } = from
  let message = ''
  let code = 0
  from.fields(reader.pos, end, (field) => {
    if (field === 2) message = reader.string()
    else if (field === 3) code = reader.int32()
    else return from.unread()
    return true
  })
  return { message, code }
}
