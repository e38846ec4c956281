import { oncePer } from '../../../base/index.ts'
import { Instant, JsonText, plainValue, toText, type PlainJson, type Row, type Value } from '../../../data/index.ts'
import { PLACES, unixNano } from '../attributes.ts'
import type { Event, KeyValue, Link } from '../messages.ts'
import { OTLP_FIELDS, isAttributeField } from './fields.ts'
import type { AttributeValue, OtlpField, SpanEvent, SpanKind, SpanLink, SpanStatus, StoredSpan } from './span.ts'
import { fieldValue, typedAttributes } from './values.ts'
import { fieldsOf } from './write.ts'

/** The kinds of spans, by number. */
export const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
/** The statuses of spans, by number. */
export const STATUSES = ['unset', 'ok', 'error'] as const

/**
 * For declared fields, the resource attribute that each one represents. Used for rows that were not received by OTLP.
 */
export const RESOURCE_OF_FIELDS: ReadonlyMap<string, string> = new Map([
  ...PLACES.map(([field, [attribute]]) => [field, attribute ?? field] as const),
  ['workload', 'service.name'] as const,
])
const RESOURCE_NAMES: ReadonlySet<string> = new Set(RESOURCE_OF_FIELDS.values())

type Members = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns the objects in a JSON list; none if the field is not a JSON list. Rows from other protocols may have any
 * value in this field.
 */
function objectsOf(value: Value | PlainJson | undefined): readonly Members[] {
  const list: unknown = value instanceof JsonText ? plainValue(value) : value
  return Array.isArray(list) ? (list as readonly unknown[]).filter(isObject) : []
}

function keyValues(value: unknown): readonly KeyValue[] {
  return objectsOf(value as PlainJson).filter(({ key }) => typeof key === 'string')
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function eventOf(event: Members): SpanEvent {
  const { timeUnixNano, name, attributes } = event as Event
  return {
    timeNs: unixNano(timeUnixNano) ?? 0n,
    name: text(name),
    attributes: typedAttributes(keyValues(attributes)),
  }
}

function linkOf(link: Members): SpanLink {
  const { traceId, spanId, traceState, attributes } = link as Link
  return {
    traceId: text(traceId),
    spanId: text(spanId),
    traceState: text(traceState),
    attributes: typedAttributes(keyValues(attributes)),
  }
}

const otlpOf = oncePer((value: JsonText): OtlpField => {
  const given: unknown = plainValue(value)
  if (!isObject(given)) return {}
  return {
    attributes: keyValues(given['attributes']),
    resource: keyValues(given['resource']),
    scope: keyValues(given['scope']),
    doubles: namesOf(given['doubles']),
    traceState: text(given['traceState']),
    durationNs: text(given['durationNs']),
  }
})

function otlpIn(value: Value | undefined): OtlpField | undefined {
  return value instanceof JsonText ? otlpOf(value) : undefined
}

function namesOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? (list as readonly unknown[]).filter((name) => typeof name === 'string') : []
}

/** Names of a resource's attributes, cached by the text of the list, since many rows share the text. */
const namesIn = oncePer((names: JsonText): ReadonlySet<string> => new Set(namesOf(plainValue(names))))

function wordIn<W extends string>(words: readonly [W, ...W[]], value: Value | undefined): W {
  return words.find((word) => word === value) ?? words[0]
}

function textIn(row: Row, name: string): string {
  return toText(row.get(name) ?? null)
}

function durationOf(row: Row, { durationNs }: OtlpField): bigint {
  if (durationNs !== undefined && durationNs !== '') return unixNano(durationNs) ?? 0n
  return durationNsOf(row.get('duration_seconds'))
}

/** Restores a duration in ns from the field `duration_seconds`; 0 if the value is not a duration. */
export function durationNsOf(seconds: Value | undefined): bigint {
  const ns = Math.round(Number(seconds ?? 0) * 1e9)
  return Number.isFinite(ns) && ns > 0 ? BigInt(ns) : 0n
}

/** Sets the resource attributes that declared fields represent, for a row that was not received by OTLP. */
function addResourceFields(resource: Map<string, AttributeValue>, row: Row): void {
  for (const [field, attribute] of RESOURCE_OF_FIELDS) {
    const value = row.get(field) ?? ''
    if (value !== '' && !resource.has(attribute)) resource.set(attribute, { type: 'string', value: toText(value) })
  }
}

/** Restores the span from its row in the table `spans`; `undefined` for a row without ids. */
export function storedSpan(row: Row): StoredSpan | undefined {
  return textIn(row, 'trace_id') === '' || textIn(row, 'span_id') === '' ? undefined : spanOf(row)
}

/** Restores as much of a span as the columns of a row contain; all else is empty. */
export function spanOf(row: Row): StoredSpan {
  const [otlp = {}, shared = {}] = OTLP_FIELDS.map((name) => otlpIn(row.get(name)))
  const sentNames = row.get('resource_attributes') ?? null
  const ofResource = sentNames instanceof JsonText ? namesIn(sentNames) : RESOURCE_NAMES
  const hidden = [otlp.attributes, shared.resource].map(fieldsOf)
  const attributes = new Map<string, AttributeValue>()
  const resource = new Map<string, AttributeValue>()
  for (const [name, value] of row) {
    if (value === null || value === '' || !isAttributeField(name)) continue
    if (hidden.some((fields) => fields.has(name))) continue
    const target = ofResource.has(name) ? resource : attributes
    const { doubles } = target === resource ? shared : otlp
    const isDouble = typeof value === 'number' && doubles?.includes(name) === true
    target.set(name, isDouble ? { type: 'double', value } : fieldValue(value))
  }
  if (!(sentNames instanceof JsonText)) addResourceFields(resource, row)
  for (const [name, value] of typedAttributes(otlp.attributes)) attributes.set(name, value)
  for (const [name, value] of typedAttributes(shared.resource)) resource.set(name, value)
  const start = row.get('_time')
  return {
    traceId: textIn(row, 'trace_id'),
    spanId: textIn(row, 'span_id'),
    parentId: textIn(row, 'parent_span_id'),
    name: textIn(row, 'span_name'),
    kind: wordIn<SpanKind>(KINDS, row.get('kind')),
    status: wordIn<SpanStatus>(STATUSES, row.get('status')),
    statusMessage: textIn(row, 'status_message'),
    startNs: start instanceof Instant ? start.ns : 0n,
    durationNs: durationOf(row, otlp),
    traceState: otlp.traceState ?? '',
    attributes,
    resource,
    scope: {
      name: textIn(row, 'scope.name'),
      version: textIn(row, 'scope.version'),
      attributes: typedAttributes(shared.scope),
    },
    events: objectsOf(row.get('events')).map(eventOf),
    links: objectsOf(row.get('links')).map(linkOf),
  }
}
