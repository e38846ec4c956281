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
 * Maximum number of fields of a record; records with more are rejected. Like the next limit, it is not configurable: a
 * replay of a batch must give exactly the rows that were acknowledged.
 */
export const MAX_ROW_FIELDS = 4096
/** Maximum total length of the names and strings of a record, UTF-16 code units. */
const MAX_ROW_CHARS = 8 * 2 ** 20

/** Returns the reason why a record cannot be stored; `undefined` if it can. */
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

/** Maximum nesting depth at which objects become separate fields. Deeper values are stored as JSON text. */
const MAX_FLATTEN_DEPTH = 32

/** A value of a record before flattening: JSON, or a value that is stored as a single field. */
export type RecordJson = ExactJson | Instant | JsonText | readonly RecordJson[] | { readonly [key: string]: RecordJson }

/** Returns a list or object as JSON text. Times in it are formatted as in RFC 3339. */
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

/**
 * Adds a value to the row as fields: nested objects become dotted names, arrays become JSON text, `null` and empty
 * objects are dropped. Stops once the row has more than `mostFields` fields.
 */
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

/** Names of record members that contain typed attributes. Their members become fields under their own names. */
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
 * Returns a JSON object as a record. A member of an attribute map becomes a field under its own name. If the record
 * already has that field, the name is prefixed with that of the map.
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

/** A record in the form in which a table stores it. */
export interface StoredRecord extends StoredRow {
  /** True if the record has a readable time. */
  readonly hasTime: boolean
  /** The value of the time field if it is not a readable time. */
  readonly unreadableTime: Value | undefined
}

/** Context for reading records. */
export interface ReadContext {
  /** The time for records that have no readable time, in nanoseconds since 1970. */
  readonly nowNs: bigint
  /**
   * The time of the last change of the file with the records, in nanoseconds since 1970; absent if they are not from a
   * file.
   */
  readonly modifiedNs?: bigint | undefined
  readonly options?: RecordOptions | undefined
}

/**
 * Returns the context for completing times without a year or day. Records of a file cannot be later than its last
 * change.
 */
export function timeContextOf({ nowNs, modifiedNs = nowNs, options }: ReadContext): TimeContext {
  return { nowNs: modifiedNs < nowNs ? modifiedNs : nowNs, zone: options?.zone }
}

/**
 * Returns a record whose fields have the names of the table, according to the record shapes of the table and the
 * options.
 */
function placedByOptions(definition: RecordTableDefinition, given: MutableRow, context: ReadContext) {
  const record = withSaidFields(given, context.options)
  const table = tableAsSaid(definition, context.options)
  return { record, table, ...placeFields(table, record, timeContextOf(context)) }
}

/**
 * Returns the time of a record, found by the names and formats of a table; `undefined` if no readable time is found.
 */
export function timeOfRecord(
  definition: RecordTableDefinition,
  record: MutableRow,
  context: ReadContext,
): Instant | undefined {
  const { timeNs } = placedByOptions(definition, record, context)
  return timeNs === undefined ? undefined : new Instant(timeNs)
}

/**
 * Returns a record as a table stores it: fields named by `placeFields`, and the time as an `Instant`. A record without
 * a readable time gets `nowNs`. An unreadable value of the time field is stored as `<time field>.text`.
 */
export function storedRow(
  definition: RecordTableDefinition,
  given: MutableRow,
  context: ReadContext,
  sequence = 0,
): StoredRecord {
  const { nowNs } = context
  const { record, table, row, timeNs, unreadableTime } = placedByOptions(definition, given, context)
  if (row.get(table.timeField) === null) row.set(table.timeField, new Instant(nowNs))
  setStream(row, record, context.options)
  return { timeNs: timeNs ?? nowNs, sequence, row, hasTime: timeNs !== undefined, unreadableTime }
}
