import { MAX_INT64 } from '../../../base/index.ts'
import { plainValue, type PlainJson, type Value } from '../../../data/index.ts'
import { integerOf } from '../attributes.ts'
import type { AnyValue, KeyValue } from '../messages.ts'
import { MAX_OTLP_DEPTH } from '../../tuning.ts'
import type { AttributeValue, Attributes } from './span.ts'

const EMPTY: AttributeValue = { type: 'empty' }

function intValue(value: number | bigint): AttributeValue {
  const int = BigInt(value)
  // JSON integers may exceed the 64 bits of the protocol.
  return int <= MAX_INT64 && int >= -MAX_INT64 - 1n
    ? { type: 'int', value: int }
    : { type: 'double', value: Number(value) }
}

/** Returns a sent value with its type. Values nested deeper than `MAX_OTLP_DEPTH` are empty. */
export function typedValue(value: AnyValue | null | undefined, depth = 0): AttributeValue {
  if (value === null || typeof value !== 'object' || depth > MAX_OTLP_DEPTH) return EMPTY
  const { stringValue, boolValue, intValue: int, doubleValue, arrayValue, kvlistValue, bytesValue } = value
  if (typeof stringValue === 'string') return { type: 'string', value: stringValue }
  if (typeof boolValue === 'boolean') return { type: 'bool', value: boolValue }
  if (int !== undefined && int !== null) {
    const whole = integerOf(int)
    return whole === null ? EMPTY : intValue(whole)
  }
  if (doubleValue !== undefined && doubleValue !== null) return { type: 'double', value: Number(doubleValue) }
  if (arrayValue !== undefined && arrayValue !== null)
    return { type: 'array', value: (arrayValue.values ?? []).map((item) => typedValue(item, depth + 1)) }
  if (kvlistValue !== undefined && kvlistValue !== null)
    return { type: 'map', value: typedAttributes(kvlistValue.values, depth + 1) }
  if (bytesValue === undefined || bytesValue === null) return EMPTY
  return {
    type: 'bytes',
    value: typeof bytesValue === 'string' ? bytesValue : Buffer.from(bytesValue).toString('base64'),
  }
}

/** Returns sent attributes by name. If several have the same name, the last one counts. */
export function typedAttributes(list: readonly KeyValue[] | null | undefined, depth = 0): Attributes {
  return new Map((list ?? []).map(({ key, value }) => [key ?? '', typedValue(value, depth)]))
}

function doubleJson(value: number): number | string {
  return Object.is(value, -0) ? '-0' : Number.isFinite(value) ? value : String(value)
}

/** Returns a value as OTLP/JSON writes it: integers, and doubles that JSON cannot express, as strings. */
export function sentValue(value: AttributeValue): AnyValue {
  switch (value.type) {
    case 'string':
      return { stringValue: value.value }
    case 'bool':
      return { boolValue: value.value }
    case 'int':
      return { intValue: String(value.value) }
    case 'double':
      return { doubleValue: doubleJson(value.value) }
    case 'array':
      return { arrayValue: value.value.length === 0 ? {} : { values: value.value.map(sentValue) } }
    case 'map':
      return { kvlistValue: value.value.size === 0 ? {} : { values: sentAttributes(value.value) } }
    case 'bytes':
      return { bytesValue: value.value }
    case 'empty':
      return {}
  }
}

/** Returns attributes as OTLP/JSON writes them. */
export function sentAttributes(attributes: Attributes): readonly KeyValue[] {
  return Array.from(attributes, ([key, value]) => ({ key, value: sentValue(value) }))
}

/**
 * True if `fieldValue` restores the attribute value, including its type, from the field in which it is stored. A
 * whole-number double may be restored as an integer.
 */
export function isFieldValue(value: AttributeValue, isInList = false): boolean {
  switch (value.type) {
    case 'string':
      // An empty string is stored as a missing field, so the field cannot restore it.
      return isInList || value.value !== ''
    case 'bool':
    case 'int':
      return true
    case 'double':
      return isInList ? value.value % 1 !== 0 && Number.isFinite(value.value) : !Object.is(value.value, -0)
    case 'array':
      return value.value.every((item) => isFieldValue(item, true))
    default:
      return false
  }
}

function jsonValue(json: PlainJson): AttributeValue {
  switch (typeof json) {
    case 'string':
      return { type: 'string', value: json }
    case 'boolean':
      return { type: 'bool', value: json }
    case 'bigint':
      return intValue(json)
    case 'number':
      return Number.isInteger(json) ? intValue(json) : { type: 'double', value: json }
  }
  if (json === null) return EMPTY
  if (Array.isArray(json)) return { type: 'array', value: (json as readonly PlainJson[]).map(jsonValue) }
  return { type: 'map', value: new Map(Object.entries(json).map(([name, member]) => [name, jsonValue(member)])) }
}

/** Converts a field value to an attribute value: whole numbers become integers, JSON becomes an array or a map. */
export function fieldValue(value: Value): AttributeValue {
  return jsonValue(plainValue(value))
}
