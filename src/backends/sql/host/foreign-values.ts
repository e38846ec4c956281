import { MAX_NS, MIN_NS, parseRfc3339 } from '../../../base/index.ts'
import {
  float,
  isJsonObject,
  isNumberText,
  JsonText,
  parseJsonExact,
  type ExactJson,
  type MutableRow,
  type Value,
} from '../../../data/index.ts'
import { flattenInto, jsonText } from '../../../store/index.ts'
import { encodeBool, encodeValue, writeRest, type SqlValue } from '../../../store/sqlite/index.ts'
import type { Program } from '../statement/programs.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes bytes as UTF-8. Bytes that are not UTF-8 become hexadecimal digits. */
export function textOfBytes(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('hex')
  }
}

/**
 * Encodes a value of a user's column in the form in which Sluice's own tables store it. Bytes in a user's column are
 * data, not encoded values.
 */
export function nativeValue(value: SqlValue): SqlValue {
  if (value instanceof Uint8Array) return textOfBytes(value)
  return typeof value === 'bigint' || typeof value === 'number' ? encodeValue(numberValue(value)) : value
}

/**
 * Encodes a value of a user's bool column, which SQLite stores as 0 or 1, in the form in which Sluice's own tables
 * store it.
 */
export function nativeBool(value: SqlValue): SqlValue {
  return value === 0n || value === 1n ? encodeBool(value === 1n) : nativeValue(value)
}

function numberValue(value: bigint | number): Value {
  return typeof value === 'number' || (value >= -(2n ** 53n) && value <= 2n ** 53n) ? Number(value) : value
}

const PLACES: Readonly<Record<string, number>> = { s: 9, ms: 6, us: 3, ns: 0 }
const DECIMAL = /^(-?)(\d{1,19})(?:\.(\d*))?$/

/** Matches a date and time in the form of SQLite's own functions: in UTC, without a zone. */
const SQLITE_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/

/**
 * Parses a time string to nanoseconds since 1970. Accepts RFC 3339, and SQLite's form without a zone and with a blank
 * before the time. `undefined` for other strings.
 */
export function textNs(text: string): bigint | undefined {
  const [, date, time] = SQLITE_TIME.exec(text) ?? []
  return parseRfc3339(date === undefined ? text : `${date}T${time ?? ''}${time?.length === 5 ? ':00' : ''}Z`)
}

/**
 * Converts a number of units since 1970 to nanoseconds, or NULL if the value is not a time. Digits below a nanosecond
 * are dropped.
 */
export function unixNs(value: SqlValue, unit: string): SqlValue {
  if (unit === 'text') return typeof value === 'string' ? (textNs(value) ?? null) : null
  const decimals = PLACES[unit] ?? 0
  if (value instanceof Uint8Array || value === null) return null
  const match = DECIMAL.exec(String(value))
  if (match === null) return null
  const [, sign, whole = '', fraction = ''] = match
  const ns = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0')) * (sign === '-' ? -1n : 1n)
  return ns < MIN_NS || ns > MAX_NS ? null : ns
}

/**
 * Returns a parser for the JSON objects of a column. The parser caches the last object, since several fields of a row
 * are read from it in turn.
 */
function readerOf(): (value: SqlValue | undefined) => ExactJson | undefined {
  let text: string | undefined
  let read: ExactJson | undefined
  return (value) => {
    if (typeof value !== 'string') return undefined
    if (value === text) return read
    text = value
    try {
      read = parseJsonExact(value)
    } catch {
      // Values that are not JSON are treated as objects without members.
      read = undefined
    }
    return read
  }
}

/**
 * Removes the original digits from a JSON number, since other databases return only its value. Numbers inside lists and
 * objects keep their digits.
 */
function databaseValue(value: Value): Value {
  return value instanceof JsonText && isNumberText(value.json) ? float(Number(value.json)) : value
}

export function restOfJson({
  prefixes,
  declared,
}: Extract<Program, { kind: 'rest' }>): (args: readonly SqlValue[]) => SqlValue {
  const readers = prefixes.map(readerOf)
  const known = new Set(declared)
  return (args) => {
    const row: MutableRow = new Map()
    for (const [i, read] of readers.entries()) {
      const object = read(args[i])
      if (!isJsonObject(object)) continue
      for (const [name, member] of Object.entries(object)) {
        const found: MutableRow = new Map()
        flattenInto(found, `${prefixes[i] ?? ''}${name}`, member)
        // If several columns contain a field, the first column's value is used.
        for (const [field, value] of found) if (!row.has(field)) row.set(field, databaseValue(value))
      }
    }
    return writeRest(row, (name) => known.has(name))
  }
}

export function memberOfJson(path: readonly string[]): (args: readonly SqlValue[]) => SqlValue {
  const read = readerOf()
  return ([text]) => {
    let value = read(text)
    for (const name of path) {
      if (Array.isArray(value)) value = /^\d+$/.test(name) ? (value as readonly ExactJson[])[Number(name)] : undefined
      else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
    }
    if (value === undefined || value === null) return null
    return encodeValue(
      databaseValue(typeof value === 'object' && !(value instanceof JsonText) ? jsonText(value) : value),
    )
  }
}
