import { formatRfc3339 } from '../base/index.ts'
import {
  Instant,
  JsonText,
  printJsonExact,
  type ExactJson,
  type MutableRow,
  type StoredRow,
  type TimeContext,
  type Value,
} from '../data/index.ts'
import type { RecordTableDefinition } from '../plan/index.ts'
import { setStream, tableAsSaid, withSaidFields, type RecordOptions } from './record-options.ts'
import { placeFields } from './shapes/index.ts'

/**
 * A record of more fields is refused. Not settable, as the next one: a batch that is replayed must give the rows that were
 * acknowledged, no more and no fewer.
 */
export const MAX_ROW_FIELDS = 4096
/** Characters of all names and texts of a record. */
const MAX_ROW_CHARS = 8 * 2 ** 20

/** The reason why a record cannot be stored; `undefined` if it can. */
export function recordFault(record: MutableRow): string | undefined {
  if (record.size === 0) return 'an object without a value'
  if (record.size > MAX_ROW_FIELDS) return `more than ${MAX_ROW_FIELDS} fields`
  let chars = 0
  for (const [name, value] of record) {
    chars += name.length
    if (typeof value === 'string') chars += value.length
    else if (value instanceof JsonText) chars += value.json.length
  }
  return chars > MAX_ROW_CHARS ? `more than ${MAX_ROW_CHARS} characters` : undefined
}

/** Nesting beyond this stays JSON text. */
const MAX_FLATTEN_DEPTH = 32

/** A record's members before they are fields: JSON, and values of ours that are one field each. */
export type RecordJson = ExactJson | Instant | JsonText | readonly RecordJson[] | { readonly [key: string]: RecordJson }

/** The text of a list or object; times as RFC 3339. */
export function jsonText(value: RecordJson): JsonText {
  const plain = (each: RecordJson): ExactJson => {
    if (each === null || typeof each !== 'object') return each
    if (each instanceof Instant) return formatRfc3339(each.ns)
    if (each instanceof JsonText) return each
    if (isList(each)) return each.map(plain)
    return Object.fromEntries(Object.entries(each).map(([key, member]) => [key, plain(member)]))
  }
  return new JsonText(printJsonExact(plain(value)))
}

function isList(value: RecordJson): value is readonly RecordJson[] {
  return Array.isArray(value)
}

/** Nested objects become dotted names, arrays JSON text; `null` and empty objects leave no field. Stops behind `mostFields`. */
export function flattenInto(row: MutableRow, name: string, value: RecordJson, depth = 0, mostFields = Infinity): void {
  if (value === null) return
  if (typeof value !== 'object') {
    row.set(name, value === 0 ? 0 : value)
  } else if (value instanceof Instant || value instanceof JsonText) {
    row.set(name, value)
  } else if (Array.isArray(value) || depth === MAX_FLATTEN_DEPTH) {
    row.set(name, jsonText(value))
  } else {
    for (const [key, member] of Object.entries(value)) {
      if (row.size > mostFields) return
      flattenInto(row, name === '' ? key : `${name}.${key}`, member, depth + 1, mostFields)
    }
  }
}

/** Members whose own members stand beside them: typed attributes of a record. */
export const ATTRIBUTE_MAPS: ReadonlySet<string> = new Set([
  'string_attributes',
  'float_attributes',
  'int_attributes',
  'bool_attributes',
])

function isObject(value: RecordJson): value is { readonly [key: string]: RecordJson } {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    !(value instanceof Instant || value instanceof JsonText)
  )
}

/**
 * A JSON object as a record. Attributes in typed maps get their bare names; where the record has a field of that name
 * already, the attribute keeps the name with its map.
 */
export function flattenRecord(
  row: MutableRow,
  value: { readonly [key: string]: RecordJson },
  mostFields = Infinity,
): void {
  const maps: [string, RecordJson][] = []
  for (const [key, member] of Object.entries(value)) {
    if (row.size > mostFields) return
    if (ATTRIBUTE_MAPS.has(key) && isObject(member)) maps.push([key, member])
    else flattenInto(row, key, member, 1, mostFields)
  }
  for (const [key, member] of maps) {
    const attributes: MutableRow = new Map()
    flattenInto(attributes, '', member, 1, mostFields)
    for (const [name, attribute] of attributes) row.set(row.has(name) ? `${key}.${name}` : name, attribute)
  }
}

/** A record as a table stores it. */
export interface StoredRecord extends StoredRow {
  /** Whether a time of its own could be read. */
  readonly hasTime: boolean
  /** The value of the time field, if it is not a time. */
  readonly unreadableTime: Value | undefined
}

/** Options for reading records. */
export interface RecordReading {
  /** The time of records without a readable one. */
  readonly nowNs: bigint
  /** When their file was last changed. */
  readonly modifiedNs?: bigint | undefined
  readonly options?: RecordOptions | undefined
}

/**
 * Returns the instant that completes times without a year or a day: no record of a file is later than its last change.
 */
export function timeContextOf({ nowNs, modifiedNs = nowNs, options }: RecordReading): TimeContext {
  return { nowNs: modifiedNs < nowNs ? modifiedNs : nowNs, zone: options?.zone }
}

/**
 * Returns a record with its members under the names of the table's fields, by the table's record shapes and the options
 * of the request.
 */
function placedAsSaid(definition: RecordTableDefinition, given: MutableRow, reading: RecordReading) {
  const record = withSaidFields(given, reading.options)
  const table = tableAsSaid(definition, reading.options)
  return { record, table, ...placeFields(table, record, timeContextOf(reading)) }
}

/** The time of a record by the names and formats of a table; `undefined` for one without a readable time. */
export function timeOfRecord(
  definition: RecordTableDefinition,
  record: MutableRow,
  reading: RecordReading,
): Instant | undefined {
  const { timeNs } = placedAsSaid(definition, record, reading)
  return timeNs === undefined ? undefined : new Instant(timeNs)
}

/**
 * A record as the table stores it: every member where `placeFields` puts it, the time field an `Instant`. A record without a readable time
 * gets `nowNs`; what stands in the time field and is not a time stays beside it as `<time field>.text`.
 */
export function storedRow(
  definition: RecordTableDefinition,
  given: MutableRow,
  reading: RecordReading,
  sequence = 0,
): StoredRecord {
  const { nowNs } = reading
  const { record, table, row, timeNs, unreadableTime } = placedAsSaid(definition, given, reading)
  if (row.get(table.timeField) === null) row.set(table.timeField, new Instant(nowNs))
  setStream(row, record, reading.options)
  return { timeNs: timeNs ?? nowNs, sequence, row, hasTime: timeNs !== undefined, unreadableTime }
}
