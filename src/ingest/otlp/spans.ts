import { Instant, toText, type MutableRow, type Value } from '../../data/index.ts'
import { addAttributes, idText, resourceFields, unixNano } from './attributes.ts'
import type { Span, TraceRequest } from './messages.ts'

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
const STATUSES = ['unset', 'ok', 'error'] as const

/** The word of an enum given as its number or as its long name. */
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

const STATUS_CODES = ['http.response.status_code', 'http.status_code', 'rpc.grpc.status_code']
const SERVERS = ['peer.service', 'server.address', 'net.peer.name']

function protocolOf(row: MutableRow): string {
  for (const name of row.keys()) {
    if (name.startsWith('rpc.')) return toText(row.get('rpc.system') ?? 'rpc')
    if (name.startsWith('http.')) return 'http'
    if (name.startsWith('db.')) return 'sql'
    if (name.startsWith('messaging.')) return 'messaging'
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

function spanRow(span: Span, shared: MutableRow): MutableRow | undefined {
  const startNs = unixNano(span.startTimeUnixNano)
  const traceId = idText(span.traceId)
  const spanId = idText(span.spanId)
  if (startNs === undefined || traceId === null || spanId === null) return undefined
  const row: MutableRow = new Map(shared)
  addAttributes(row, span.attributes)
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
  if (endNs !== undefined && endNs >= startNs) row.set('duration_seconds', Number(endNs - startNs) / 1e9)
  const code = firstOf(row, STATUS_CODES)
  if (code !== null) row.set('status_code', toText(code))
  const protocol = protocolOf(row)
  row.set('span_type', protocol)
  row.set('protocol_type', protocol)
  setPeers(row, kind)
  return row
}

/** The spans of an export; one without a start, a trace id or a span id is rejected and counted. */
export function spansOf(request: TraceRequest): { readonly rows: MutableRow[]; readonly rejected: number } {
  const rows: MutableRow[] = []
  let rejected = 0
  for (const { resource, scopeSpans } of request.resourceSpans ?? []) {
    const shared = resourceFields(resource?.attributes)
    for (const { scope, spans } of scopeSpans ?? []) {
      for (const span of spans ?? []) {
        const row = spanRow(span, shared)
        if (row === undefined) {
          rejected++
          continue
        }
        if (scope?.name !== undefined && scope.name !== '') row.set('scope.name', scope.name)
        rows.push(row)
      }
    }
  }
  return { rows, rejected }
}
