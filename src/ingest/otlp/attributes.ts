import {
  float,
  integer,
  JsonText,
  printJsonExact,
  type PlainJson,
  type MutableRow,
  type Value,
} from '../../data/index.ts'
import { flattenInto } from '../../store/index.ts'
import type { AnyValue, Id, Integer, KeyValue } from './messages.ts'
import { MAX_OTLP_DEPTH } from '../tuning.ts'

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOf(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += HEX[byte] ?? ''
  return text
}

/** Returns a signed integer of either encoding; `null` for a string that is not an integer. */
export function integerOf(value: Integer): number | bigint | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return float(value)
  const text = value.toString()
  return /^-?\d{1,20}$/.test(text) ? integer(BigInt(text)) : null
}

/** Returns an id in lower-case hex; `null` when it is absent or all zero. */
export function idText(id: Id | undefined): string | null {
  const text = id === undefined ? '' : typeof id === 'string' ? id.toLowerCase() : hexOf(id)
  return /[^0]/.test(text) ? text : null
}

/**
 * Returns the reason why a record with these ids cannot be stored: an id is a string that is not hexadecimal. Some JSON
 * senders write base64.
 */
export function idFault(...ids: readonly (Id | undefined)[]): string | undefined {
  const isBad = ids.some((id) => typeof id === 'string' && !/^[0-9a-f]*$/i.test(id))
  return isBad ? 'records whose trace id or span id is not hexadecimal' : undefined
}

/** Returns nanoseconds from a fixed64 of protobuf or JSON; `undefined` when it is absent, zero or not a number. */
export function unixNano(value: Integer | undefined): bigint | undefined {
  const text = value?.toString() ?? '0'
  return /^\d{1,20}$/.test(text) && !/^0+$/.test(text) ? BigInt(text) : undefined
}

/** Returns a member; `undefined` if it was not sent or is `null`. */
function sent<K extends keyof AnyValue>(value: AnyValue, name: K): NonNullable<AnyValue[K]> | undefined {
  return value[name] ?? undefined
}

/** Returns an attribute value as JSON; bytes become base64. */
export function anyJson(value: AnyValue | undefined | null, depth = 0): PlainJson {
  if (value === undefined || value === null || depth > MAX_OTLP_DEPTH) return null
  const text = sent(value, 'stringValue')
  if (typeof text === 'string') return text
  const bool = sent(value, 'boolValue')
  if (typeof bool === 'boolean') return bool
  const int = sent(value, 'intValue')
  if (int !== undefined) return integerOf(int)
  const double = sent(value, 'doubleValue')
  if (double !== undefined) return Number(double)
  const array = sent(value, 'arrayValue')
  if (array !== undefined) return (array.values ?? []).map((item) => anyJson(item, depth + 1))
  const list = sent(value, 'kvlistValue')
  if (list !== undefined) {
    const members: Record<string, PlainJson> = Object.create(null) as Record<string, PlainJson>
    for (const { key, value: member } of list.values ?? []) members[key ?? ''] = anyJson(member, depth + 1)
    return members
  }
  const bytes = sent(value, 'bytesValue')
  if (bytes === undefined) return null
  return typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('base64')
}

/** Sets each attribute under its own name; maps are flattened with dots. */
export function addAttributes(row: MutableRow, attributes: readonly KeyValue[] | undefined): void {
  for (const { key, value } of attributes ?? []) {
    if (key !== undefined && key !== '') flattenInto(row, key, anyJson(value))
  }
}

/**
 * Declared fields that describe the origin of data, each with the resource attributes that provide its value. Policies
 * and tables use these fields. The first attribute that is present counts.
 */
export const PLACES: readonly (readonly [field: string, attributes: readonly string[]])[] = [
  ['workload', ['k8s.deployment.name', 'k8s.statefulset.name', 'k8s.daemonset.name']],
  ['namespace', ['k8s.namespace.name']],
  ['cluster', ['k8s.cluster.name']],
  ['env', ['deployment.environment.name', 'deployment.environment']],
  ['pod', ['k8s.pod.name']],
  ['container', ['k8s.container.name', 'container.name']],
]

/**
 * Attributes that provide fields for records outside of Kubernetes. Metrics have these attributes in the label `job`.
 */
const SERVICES: ReadonlyMap<string, string> = new Map([
  ['workload', 'service.name'],
  ['namespace', 'service.namespace'],
])

/** Returns the attributes of a resource under their own names, and the declared fields that they provide. */
export function resourceFields(attributes: readonly KeyValue[] | undefined): MutableRow {
  const own: MutableRow = new Map()
  addAttributes(own, attributes)
  const row: MutableRow = new Map()
  for (const [field, names] of PLACES) {
    const value = [...names, SERVICES.get(field) ?? '']
      .map((name) => own.get(name) ?? null)
      .find((candidate) => candidate !== null)
    if (value !== undefined) row.set(field, value)
  }
  for (const [name, value] of own) if (!row.has(name)) row.set(name, value)
  return row
}

/** Returns a log body or another value as a field: strings and numbers unchanged, lists and maps as JSON. */
export function bodyValue(value: AnyValue | undefined): Value {
  const json = anyJson(value)
  return json !== null && typeof json === 'object' ? new JsonText(printJsonExact(json)) : json
}
