import { oncePer } from '../../../base/index.ts'
import { JsonText, type MutableRow, type Value } from '../../../data/index.ts'
import { addAttributes, idText, unixNano } from '../attributes.ts'
import type { Event, KeyValue, Link, Scope, Span } from '../messages.ts'
import type { SharedFields } from '../sent-records.ts'
import { SPAN_FIELDS, isAttributeField } from './fields.ts'
import type { OtlpField } from './span.ts'
import { isFieldValue, sentAttributes, sentValue, typedAttributes, typedValue } from './values.ts'

/** The fields that all spans of a resource and scope have. */
interface SharedSpanFields {
  readonly row: MutableRow
  /** Fields that attributes of a span do not replace. */
  readonly own: readonly (readonly [name: string, value: Value])[]
  /** Names of the attributes of the resource that its fields give back. */
  readonly names: ReadonlySet<string>
  readonly otlp: OtlpField
}

/** Returns what the fields of attributes do not give back: attributes as OTLP/JSON writes them, and names of doubles. */
function beyondFields(
  list: readonly KeyValue[],
  isTaken: (name: string) => boolean,
): { readonly attributes: readonly KeyValue[]; readonly doubles: readonly string[] } {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const maps: KeyValue[] = []
  for (const attribute of list) {
    const { key = '', value } = attribute
    if (seen.has(key)) repeated.add(key)
    seen.add(key)
    if ((value?.kvlistValue ?? null) !== null) maps.push(attribute)
  }
  const members = fieldsOf(maps)
  const attributes: KeyValue[] = []
  const doubles: string[] = []
  for (const { key = '', value: sent } of list) {
    const value = typedValue(sent)
    const isField =
      isAttributeField(key) && isFieldValue(value) && !repeated.has(key) && !members.has(key) && !isTaken(key)
    if (!isField) attributes.push({ key, value: sentValue(value) })
    else if (value.type === 'double' && Number.isInteger(value.value)) doubles.push(key)
  }
  return { attributes, doubles }
}

/** Returns the fields in which attributes are stored. */
export function fieldsOf(list: readonly KeyValue[] | undefined): MutableRow {
  const row: MutableRow = new Map()
  addAttributes(row, list)
  return row
}

/** Returns a list or an object as the value of a field. */
export function jsonField(value: unknown): JsonText {
  return new JsonText(JSON.stringify(value))
}

/** The field `otlp`; nothing if it says nothing. */
function otlpEntry(otlp: OtlpField): readonly (readonly [string, Value])[] {
  const members = Object.entries(otlp).filter(([, member]) => member !== undefined && member.length > 0)
  return members.length === 0 ? [] : [['otlp', jsonField(Object.fromEntries(members))]]
}

function scopeEntries({ name, version }: Scope): readonly (readonly [string, Value])[] {
  return [
    ...(name === undefined || name === '' ? [] : [['scope.name', name] as const]),
    ...(version === undefined || version === '' ? [] : [['scope.version', version] as const]),
  ]
}

/** Returns the fields that all spans of a resource and scope have. */
export const sharedSpanFields: (shared: SharedFields) => SharedSpanFields = oncePer(
  ({ resource, sentResource, scope }: SharedFields): SharedSpanFields => {
    const { attributes, doubles } = beyondFields(sentResource, () => false)
    const otlp: OtlpField = {
      resource: attributes,
      doubles,
      scope: sentAttributes(typedAttributes(scope.attributes)),
    }
    const others = new Set(attributes.map(({ key }) => key))
    const names = new Set(sentResource.map(({ key = '' }) => key).filter((name) => !others.has(name)))
    const own = [...scopeEntries(scope), ['resource_attributes', jsonField([...names])] as const, ...otlpEntry(otlp)]
    const fields = [...resource].filter(([name]) => !SPAN_FIELDS.includes(name))
    return { row: new Map([...fields, ...own]), own, names, otlp }
  },
)

/** Returns the attributes of a resource whose fields hold attributes of a span instead. */
function replacedAttributes(
  names: ReadonlySet<string>,
  sentResource: readonly KeyValue[],
  spanFields: MutableRow,
): readonly KeyValue[] {
  return sentResource
    .filter(({ key = '' }) => names.has(key) && spanFields.has(key))
    .map(({ key = '', value }) => ({ key, value: sentValue(typedValue(value)) }))
}

function eventJson({ timeUnixNano, name, attributes }: Event): unknown {
  return {
    timeUnixNano: String(unixNano(timeUnixNano) ?? 0n),
    name: name ?? '',
    attributes: sentAttributes(typedAttributes(attributes)),
  }
}

function linkJson({ traceId, spanId, traceState, attributes }: Link): unknown {
  return {
    traceId: idText(traceId) ?? '',
    spanId: idText(spanId) ?? '',
    traceState: traceState ?? '',
    attributes: sentAttributes(typedAttributes(attributes)),
  }
}

/**
 * Returns the fields of a span that hold what its other fields cannot say, and those that its attributes do not
 * replace. `durationNs` is given if `duration_seconds` does not give it back.
 */
export function exactFields(
  { attributes = [], traceState, events, links }: Span,
  shared: SharedFields,
  durationNs: bigint | undefined,
): readonly (readonly [name: string, value: Value])[] {
  const { own, names, otlp } = sharedSpanFields(shared)
  const beyond = beyondFields(attributes, (name) => shared.resource.has(name))
  const replaced =
    beyond.attributes.length === 0 ? [] : replacedAttributes(names, shared.sentResource, fieldsOf(beyond.attributes))
  const entry = otlpEntry({
    ...otlp,
    attributes: beyond.attributes,
    resource: [...(otlp.resource ?? []), ...replaced],
    doubles: [...(otlp.doubles ?? []), ...beyond.doubles],
    ...(traceState === undefined ? {} : { traceState }),
    ...(durationNs === undefined ? {} : { durationNs: String(durationNs) }),
  })
  return [
    ...own.filter(([name]) => name !== 'otlp'),
    ...entry,
    ...((events ?? []).length === 0 ? [] : [['events', jsonField(events?.map(eventJson))] as const]),
    ...((links ?? []).length === 0 ? [] : [['links', jsonField(links?.map(linkJson))] as const]),
  ]
}
