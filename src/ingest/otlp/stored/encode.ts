import protobuf from 'protobufjs'
import { LENGTH_DELIMITED } from '../../protobuf.ts'
import { otlpType, type ResourceSpans, type Span } from '../messages.ts'
import { KINDS, STATUSES } from './read.ts'
import type { Attributes, InstrumentationScope, SpanEvent, SpanLink, StoredSpan } from './span.ts'
import { sentAttributes } from './values.ts'

/** Encoding of ids and enums of spans. */
export interface SpanForm {
  readonly id: (bytes: Buffer) => string | Uint8Array
  readonly kind: (kind: number) => number | string
  readonly status: (status: number) => number | string
}

/** OTLP/JSON: hexadecimal ids, enums as numbers. */
export const otlpJson: SpanForm = {
  id: (bytes) => bytes.toString('hex'),
  kind: (kind) => kind,
  status: (status) => status,
}

/** The JSON form of protobuf messages, which Tempo uses: ids in base64, enums by name. */
export const protobufJson: SpanForm = {
  id: (bytes) => bytes.toString('base64'),
  kind: (kind) => `SPAN_KIND_${(KINDS[kind] ?? KINDS[0]).toUpperCase()}`,
  status: (status) => `STATUS_CODE_${(STATUSES[status] ?? STATUSES[0]).toUpperCase()}`,
}

const protobufForm: SpanForm = { ...otlpJson, id: (bytes) => bytes }

const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8

/**
 * Returns the bytes of an id. An id that is not hexadecimal, as other senders may store, becomes the bytes of its text.
 */
function idBytes(id: string, length: number): Buffer {
  if (id === '') return Buffer.alloc(0)
  return /^[0-9a-f]*$/i.test(id) ? Buffer.from(id.padStart(length * 2, '0'), 'hex') : Buffer.from(id)
}

/** Returns the given members without those that are undefined, empty strings or empty lists. */
function members<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(given).filter(
      ([, value]) => value !== undefined && value !== '' && (value as unknown[]).length !== 0,
    ),
  ) as Partial<T>
}

function eventOf({ timeNs, name, attributes }: SpanEvent): object {
  return members({ timeUnixNano: String(timeNs), name, attributes: sentAttributes(attributes) })
}

function linkOf({ traceId, spanId, traceState, attributes }: SpanLink, { id }: SpanForm): object {
  return members({
    traceId: id(idBytes(traceId, TRACE_ID_BYTES)),
    spanId: id(idBytes(spanId, SPAN_ID_BYTES)),
    traceState,
    attributes: sentAttributes(attributes),
  })
}

function scopeOf({ name, version, attributes }: InstrumentationScope): object {
  return members({ name, version, attributes: sentAttributes(attributes) })
}

function sentSpan(span: StoredSpan, form: SpanForm): Span {
  const kind = KINDS.indexOf(span.kind)
  const status = STATUSES.indexOf(span.status)
  return members({
    traceId: form.id(idBytes(span.traceId, TRACE_ID_BYTES)),
    spanId: form.id(idBytes(span.spanId, SPAN_ID_BYTES)),
    traceState: span.traceState,
    parentSpanId: form.id(idBytes(span.parentId, SPAN_ID_BYTES)),
    name: span.name,
    kind: kind <= 0 ? undefined : form.kind(kind),
    startTimeUnixNano: String(span.startNs),
    endTimeUnixNano: String(span.startNs + span.durationNs),
    attributes: sentAttributes(span.attributes),
    events: span.events.map(eventOf),
    links: span.links.map((link) => linkOf(link, form)),
    status: members({ message: span.statusMessage, code: status <= 0 ? undefined : form.status(status) }),
  }) as Span
}

/** Spans of one resource, by scope. */
interface ResourceGroup {
  readonly resource: Attributes
  readonly scopes: Map<string, { readonly scope: object; readonly spans: StoredSpan[] }>
}

function groupsOf(spans: Iterable<StoredSpan>): Iterable<ResourceGroup> {
  const groups = new Map<string, ResourceGroup>()
  const keyOf = (attributes: Attributes): string =>
    JSON.stringify(sentAttributes(attributes).toSorted((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1)))
  for (const span of spans) {
    const { resource, scope } = span
    const key = keyOf(resource)
    let group = groups.get(key)
    if (group === undefined) groups.set(key, (group = { resource, scopes: new Map() }))
    const scopeKey = JSON.stringify([scope.name, scope.version, keyOf(scope.attributes)])
    const known = group.scopes.get(scopeKey)
    if (known === undefined) group.scopes.set(scopeKey, { scope: scopeOf(scope), spans: [span] })
    else known.spans.push(span)
  }
  return groups.values()
}

/** Number of spans in a part of a trace. Encoding one part occupies the thread for a few ms. */
const SPANS_PER_PART = 1000

/** Yields spans as `ResourceSpans` messages, grouped by resource and scope within each part of 1,000 spans. */
export function* otlpTrace(spans: readonly StoredSpan[], form: SpanForm): Generator<ResourceSpans> {
  for (let from = 0; from < spans.length; from += SPANS_PER_PART)
    for (const { resource, scopes } of groupsOf(spans.slice(from, from + SPANS_PER_PART)))
      yield {
        resource: members({ attributes: sentAttributes(resource) }),
        scopeSpans: Array.from(scopes.values(), ({ scope, spans: own }) => ({
          scope,
          spans: own.map((span) => sentSpan(span, form)),
        })),
      }
}

const FIRST_FIELD = (1 << 3) | LENGTH_DELIMITED

/** Yields the chunks of a protobuf message `TracesData`. */
export function* traceBytes(spans: readonly StoredSpan[]): Generator<Uint8Array> {
  const type = otlpType('ResourceSpans')
  for (const message of otlpTrace(spans, protobufForm)) {
    const bytes = type.encode(type.fromObject(message)).finish()
    yield firstField(bytes)
  }
}

/** Encodes bytes as field 1 of a message. Readers merge repeated parts of the field and join their lists. */
export function firstField(bytes: Uint8Array): Uint8Array {
  return protobuf.Writer.create().uint32(FIRST_FIELD).bytes(bytes).finish()
}
