import type { JsonValue } from '../../base/index.ts'
import { Instant, JsonText, type Value } from '../../data/index.ts'

/** Encodes a value as JSON data. Plain strings, booleans, finite numbers and `null` stay unchanged. */
export function encodeValue(value: Value): JsonValue {
  if (value instanceof Instant) return { time: String(value.ns) }
  if (value instanceof JsonText) return { json: value.json }
  if (typeof value === 'bigint') return { integer: String(value) }
  if (typeof value === 'number' && !Number.isFinite(value)) return { float: String(value) }
  return value
}

export function decodeValue(state: JsonValue): Value {
  if (state === null || typeof state !== 'object') return state
  const { time, json, integer, float } = state as Record<string, string | undefined>
  if (time !== undefined) return new Instant(BigInt(time))
  if (json !== undefined) return new JsonText(json)
  return integer === undefined ? Number(float) : BigInt(integer)
}

export function encodeValues(values: readonly Value[]): JsonValue {
  return values.map(encodeValue)
}

export function decodeValues(state: JsonValue): Value[] {
  return (state as readonly JsonValue[]).map(decodeValue)
}
