import { parseRfc3339 } from '../base/index.ts'
import {
  Instant,
  JsonText,
  printJsonExact,
  type ExactJson,
  type MutableRow,
  type StoredRow,
  type Value,
} from '../data/index.ts'
import type { RecordTableDefinition } from '../plan/index.ts'

/** Nesting beyond this stays JSON text. */
const MAX_FLATTEN_DEPTH = 32

/** Nested objects become dotted names, arrays JSON text; `null` and empty objects leave no field. */
export function flattenInto(row: MutableRow, name: string, value: ExactJson, depth = 0): void {
  if (value === null) return
  if (typeof value !== 'object') {
    row.set(name, value === 0 ? 0 : value)
  } else if (Array.isArray(value) || depth === MAX_FLATTEN_DEPTH) {
    row.set(name, new JsonText(printJsonExact(value)))
  } else {
    for (const [key, member] of Object.entries(value)) {
      flattenInto(row, name === '' ? key : `${name}.${key}`, member, depth + 1)
    }
  }
}

/** Members whose own members stand beside them: typed attributes of a record. */
const ATTRIBUTE_MAPS: ReadonlySet<string> = new Set([
  'string_attributes',
  'float_attributes',
  'int_attributes',
  'bool_attributes',
])

function isObject(value: ExactJson): value is { readonly [key: string]: ExactJson } {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/**
 * A JSON object as a record. Attributes in typed maps get their bare names; where the record has a field of that name
 * already, the attribute keeps the name with its map.
 */
export function flattenRecord(row: MutableRow, value: { readonly [key: string]: ExactJson }): void {
  const maps: [string, ExactJson][] = []
  for (const [key, member] of Object.entries(value)) {
    if (ATTRIBUTE_MAPS.has(key) && isObject(member)) maps.push([key, member])
    else flattenInto(row, key, member, 1)
  }
  for (const [key, member] of maps) {
    const attributes: MutableRow = new Map()
    flattenInto(attributes, '', member, 1)
    for (const [name, attribute] of attributes) row.set(row.has(name) ? `${key}.${name}` : name, attribute)
  }
}

const NS_PER_UNIT: readonly { readonly below: number; readonly ns: bigint }[] = [
  { below: 1e11, ns: 1_000_000_000n },
  { below: 1e14, ns: 1_000_000n },
  { below: 1e17, ns: 1_000n },
  { below: Infinity, ns: 1n },
]

/** Unix seconds, milliseconds, microseconds or nanoseconds, told apart by size; fractions count to the nanosecond. */
export function unixToNs(value: number | bigint): bigint {
  const size = Math.abs(Number(value))
  const unit = NS_PER_UNIT.find((candidate) => size < candidate.below)?.ns ?? 1n
  if (typeof value === 'bigint') return value * unit
  const whole = Math.trunc(value)
  return BigInt(whole) * unit + BigInt(Math.round((value - whole) * Number(unit)))
}

/** A time as records carry it: RFC 3339 text, or unix time as a number or digits. */
export function recordTimeNs(value: Value): bigint | undefined {
  if (value instanceof Instant) return value.ns
  if (typeof value === 'bigint') return unixToNs(value)
  if (typeof value === 'number') return Number.isFinite(value) ? unixToNs(value) : undefined
  if (typeof value !== 'string') return undefined
  const parsed = parseRfc3339(value)
  if (parsed !== undefined) return parsed
  if (/^\d{1,19}$/.test(value)) return unixToNs(BigInt(value))
  return /^\d{1,10}\.\d{1,9}$/.test(value) ? unixToNs(Number(value)) : undefined
}

/**
 * A record as the table stores it: aliases resolved, the time field an `Instant`. A record without a readable time
 * gets `nowNs`; a text in the time field that is no time stays beside it as `<time field>.text`.
 */
export function storedRow(
  table: RecordTableDefinition,
  record: MutableRow,
  nowNs: bigint,
  sequence: number,
): StoredRow {
  const row: MutableRow = new Map()
  row.set(table.timeField, null)
  for (const [name, value] of record) if (!table.aliases.has(name)) row.set(name, value)
  for (const [alias, name] of table.aliases) {
    const value = record.get(alias)
    if (value === undefined || value === null) continue
    const isTaken = name === table.timeField ? record.has(name) || row.get(name) !== null : row.has(name)
    row.set(isTaken ? `${name}.${alias}` : name, value)
  }
  const given = row.get(table.timeField) ?? null
  const timeNs = recordTimeNs(given)
  if (timeNs === undefined && given !== null) row.set(`${table.timeField}.text`, given)
  row.set(table.timeField, new Instant(timeNs ?? nowNs))
  return { timeNs: timeNs ?? nowNs, sequence, row }
}
