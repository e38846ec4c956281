import { Instant, JsonText, toText, type Value } from '../data/index.ts'

/** A value as JSON: numbers and bools as such, NaN and infinities `null`, times as text, JSON as it is. */
export function jsonOfValue(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (value instanceof Instant) return `"${toText(value)}"`
  return value instanceof JsonText ? value.json : String(value)
}

export function jsonArray(values: readonly Value[]): JsonText {
  return new JsonText(`[${values.map(jsonOfValue).join(',')}]`)
}

/** An object of the fields that are there. */
export function jsonObject(fields: Iterable<readonly [string, Value]>): JsonText {
  const members: string[] = []
  for (const [name, value] of fields) {
    if (value !== null) members.push(`${JSON.stringify(name)}:${jsonOfValue(value)}`)
  }
  return new JsonText(`{${members.join(',')}}`)
}
