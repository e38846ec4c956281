import type { JsonValue } from '../base/index.ts'
import { Instant, JsonText, type StoredRow, type Value } from '../data/index.ts'

/** Writes a value as JSON. A value that JSON cannot express becomes an object with one member, which names its type. */
function tagged(value: Value): JsonValue {
  if (typeof value === 'bigint') return { integer: String(value) }
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return { number: Object.is(value, -0) ? '-0' : String(value) }
  if (value instanceof Instant) return { time: String(value.ns) }
  return value instanceof JsonText ? { json: value.json } : value
}

function untagged(value: JsonValue | undefined): Value {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return value
  const tag = value as Readonly<Record<string, JsonValue>>
  if (typeof tag['integer'] === 'string') return BigInt(tag['integer'])
  if (typeof tag['number'] === 'string') return Number(tag['number'])
  if (typeof tag['time'] === 'string') return new Instant(BigInt(tag['time']))
  if (typeof tag['json'] === 'string') return new JsonText(tag['json'])
  throw new Error(`not a kept value: ${JSON.stringify(value)}`)
}

/** Writes rows as JSON with the type of each value. `rowsOf` reads them back. */
export function rowsToJson(rows: readonly StoredRow[]): JsonValue {
  return rows.map(({ timeNs, row }) => ({
    timeNs: String(timeNs),
    row: [...row].map(([name, value]) => [name, tagged(value)]),
  }))
}

export function rowsOf(json: JsonValue | undefined): readonly StoredRow[] {
  const stored = json as unknown as readonly { timeNs: string; row: readonly [string, JsonValue][] }[]
  return stored.map(({ timeNs, row }, sequence) => ({
    timeNs: BigInt(timeNs),
    sequence,
    row: new Map(row.map(([name, value]) => [name, untagged(value)])),
  }))
}
