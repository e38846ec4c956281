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
  /** Fields that attributes of a span must not replace. */
  readonly own: readonly (readonly [name: string, value: Value])[]
  /** Names of the resource attributes that fields represent completely. */
  readonly names: ReadonlySet<string>
  /**
   * Value of `otlp_shared` for a span whose own attribute replaces a field of the resource. The value contains all
   * attributes of the resource.
   */
  readonly whole: () => JsonText
}

/** Converts an attribute to OTLP/JSON, which keeps the type of its value. */
function exactly({ key = '', value }: KeyValue): KeyValue {
  return { key, value: sentValue(typedValue(value)) }
}

/** Returns the attributes that fields cannot represent, in OTLP/JSON, and the names of whole-number doubles. */
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
  for (const attribute of list) {
    const { key = '' } = attribute
    const value = typedValue(attribute.value)
    const isField =
      isAttributeField(key) && isFieldValue(value) && !repeated.has(key) && !members.has(key) && !isTaken(key)
    if (!isField) attributes.push(exactly(attribute))
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

/**
 * Returns the field `otlp` or `otlp_shared` with its details as a list of one entry; an empty list if there are no
 * details.
 */
function otlpEntry(field: 'otlp' | 'otlp_shared', otlp: OtlpField): readonly (readonly [string, Value])[] {
  const members = Object.entries(otlp).filter(([, member]) => member !== undefined && member.length > 0)
  return members.length === 0 ? [] : [[field, jsonField(Object.fromEntries(members))]]
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
    const ofScope = sentAttributes(typedAttributes(scope.attributes))
    const others = new Set(attributes.map(({ key }) => key))
    const names = new Set(sentResource.map(({ key = '' }) => key).filter((name) => !others.has(name)))
    const own = [
      ...scopeEntries(scope),
      ['resource_attributes', jsonField([...names])] as const,
      ...otlpEntry('otlp_shared', { resource: attributes, scope: ofScope, doubles }),
    ]
    const fields = [...resource].filter(([name]) => !SPAN_FIELDS.includes(name))
    let made: JsonText | undefined
    const whole = (): JsonText => (made ??= jsonField({ resource: sentResource.map(exactly), scope: ofScope }))
    return { row: new Map([...fields, ...own]), own, names, whole }
  },
)

/** Returns an event as the field `events` holds it. */
export function eventJson({ timeUnixNano, name, attributes }: Event): object {
  return {
    timeUnixNano: String(unixNano(timeUnixNano) ?? 0n),
    name: name ?? '',
    attributes: sentAttributes(typedAttributes(attributes)),
  }
}

/** Returns a link as the field `links` holds it. */
export function linkJson({ traceId, spanId, traceState, attributes }: Link): object {
  return {
    traceId: idText(traceId) ?? '',
    spanId: idText(spanId) ?? '',
    traceState: traceState ?? '',
    attributes: sentAttributes(typedAttributes(attributes)),
  }
}

/**
 * Returns the fields that hold details of a span which other fields cannot represent, and the shared fields that no
 * attribute of the span replaces. `durationNs` is set if `duration_seconds` does not represent the duration exactly.
 */
export function exactFields(
  { attributes = [], traceState, events, links }: Span,
  shared: SharedFields,
  durationNs: bigint | undefined,
): readonly (readonly [name: string, value: Value])[] {
  const { own, names, whole } = sharedSpanFields(shared)
  const beyond = beyondFields(attributes, (name) => shared.resource.has(name))
  const isReplaced =
    beyond.attributes.length > 0 && [...fieldsOf(beyond.attributes).keys()].some((name) => names.has(name))
  return [
    ...own,
    // All spans share this string; one copy per span would multiply the memory of a large resource.
    ...(isReplaced ? [['otlp_shared', whole()] as const] : []),
    ...otlpEntry('otlp', {
      ...beyond,
      ...(traceState === undefined ? {} : { traceState }),
      ...(durationNs === undefined ? {} : { durationNs: String(durationNs) }),
    }),
    ...((events ?? []).length === 0 ? [] : [['events', jsonField(events?.map(eventJson))] as const]),
    ...((links ?? []).length === 0 ? [] : [['links', jsonField(links?.map(linkJson))] as const]),
  ]
}
