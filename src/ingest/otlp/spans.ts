import type { StepwiseTask } from '../../base/index.ts'
import { Instant, toText, type MutableRow, type Value } from '../../data/index.ts'
import { addAttributes, idFault, idText, unixNano } from './attributes.ts'
import type { Id, Span, TraceRequest } from './messages.ts'
import { countParts, parsedRecords, rowsOf, type ReadRecords, type SharedFields } from './sent-records.ts'
import { KINDS, STATUSES, durationNsOf } from './stored/read.ts'
import { SPAN_FIELDS } from './stored/fields.ts'
import { exactFields, sharedSpanFields } from './stored/write.ts'

/** Returns the stored word of an enum value. Senders send its number or its long name. */
function wordOf(words: readonly [string, ...string[]], value: number | string | undefined): string {
  if (typeof value === 'string' && !/^\d+$/.test(value)) {
    const lower = value.toLowerCase()
    return words.find((word) => lower.endsWith(word)) ?? words[0]
  }
  return words[Number(value ?? 0)] ?? words[0]
}

function firstOf(row: MutableRow, names: readonly string[]): Value {
  for (const name of names) {
    const value = row.get(name) ?? null
    if (value !== null) return value
  }
  return null
}

/** Attributes with the status code of a response. The first one that is present counts. */
export const STATUS_CODES = ['http.response.status_code', 'http.status_code', 'rpc.grpc.status_code']
/** Attributes with the name of the called server. The first one that is present counts. */
export const SERVERS = ['peer.service', 'server.address', 'net.peer.name']

/** Returns the protocol that an attribute's name implies. For `rpc` the value of `rpc.system` names the protocol. */
export function protocolOfName(name: string): string | undefined {
  if (name.startsWith('rpc.')) return 'rpc'
  if (name.startsWith('http.')) return 'http'
  if (name.startsWith('db.')) return 'sql'
  return name.startsWith('messaging.') ? 'messaging' : undefined
}

function protocolOf(row: MutableRow): string {
  for (const name of row.keys()) {
    const protocol = protocolOfName(name)
    if (protocol !== undefined) return protocol === 'rpc' ? toText(row.get('rpc.system') ?? 'rpc') : protocol
  }
  return 'internal'
}

function setPeers(row: MutableRow, kind: string): void {
  const workload = row.get('workload') ?? null
  const namespace = row.get('namespace') ?? null
  const set = (name: string, value: Value): void => {
    if (value !== null && !row.has(name)) row.set(name, value)
  }
  if (kind === 'server' || kind === 'consumer') {
    set('server', workload)
    set('server_namespace', namespace)
  } else if (kind === 'client' || kind === 'producer') {
    set('client', workload)
    set('client_namespace', namespace)
    set('server', firstOf(row, SERVERS))
  }
}

const INCOMPLETE = 'spans without a start, a trace id or a span id'

/** Returns a span as a row, or a string that says why it is left out. */
export function spanRow(span: Span, shared: SharedFields): MutableRow | string {
  const startNs = unixNano(span.startTimeUnixNano)
  const traceId = idText(span.traceId)
  const spanId = idText(span.spanId)
  if (startNs === undefined || traceId === null || spanId === null) return INCOMPLETE
  const row: MutableRow = new Map(sharedSpanFields(shared).row)
  addAttributes(row, span.attributes)
  for (const name of SPAN_FIELDS) row.delete(name)
  const kind = wordOf(KINDS, span.kind)
  const endNs = unixNano(span.endTimeUnixNano)
  row.set('_time', new Instant(startNs))
  row.set('trace_id', traceId)
  row.set('span_id', spanId)
  const parent = idText(span.parentSpanId)
  if (parent !== null) row.set('parent_span_id', parent)
  row.set('span_name', span.name ?? '')
  row.set('kind', kind)
  row.set('status', wordOf(STATUSES, span.status?.code))
  if (span.status?.message !== undefined && span.status.message !== '') row.set('status_message', span.status.message)
  const durationNs = endNs !== undefined && endNs >= startNs ? endNs - startNs : undefined
  const seconds = durationNs === undefined ? null : Number(durationNs) / 1e9
  if (seconds !== null) row.set('duration_seconds', seconds)
  const code = firstOf(row, STATUS_CODES)
  if (code !== null) row.set('status_code', toText(code))
  const protocol = protocolOf(row)
  row.set('span_type', protocol)
  row.set('protocol_type', protocol)
  setPeers(row, kind)
  const isExact = durationNs === undefined || durationNsOf(seconds) === durationNs
  for (const [name, value] of exactFields(span, shared, isExact ? undefined : durationNs)) row.set(name, value)
  return row
}

function idsOf({ traceId, spanId, parentSpanId, links }: Span): readonly (Id | undefined)[] {
  return [traceId, spanId, parentSpanId, ...(links ?? []).flatMap((link) => [link.traceId, link.spanId])]
}

/** Reads the spans of an export in a parsed document. A span without a start, a trace id or a span id is left out. */
export function readParsedSpans({ resourceSpans }: TraceRequest): StepwiseTask<ReadRecords> {
  const parts = countParts()
  const records = parsedRecords<Span>(resourceSpans, 'scopeSpans', 'spans', parts)
  return rowsOf(records, parts, (span, shared) => idFault(...idsOf(span)) ?? spanRow(span, shared))
}
