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
 * Maximum number of fields of a record; a record with more is rejected. This and the next limit are not configurable,
 * because replaying a batch must give exactly the rows that were acknowledged.
 */
export const MAX_ROW_FIELDS = 4096
/** Maximum UTF-16 units of all names and strings of a record. */
const MAX_ROW_CHARS = 8 * 2 ** 20

/** Returns why a record cannot be stored; `undefined` if it can. */
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

/** Maximum nesting depth that is flattened to fields. Deeper values are stored as JSON text. */
const MAX_FLATTEN_DEPTH = 32

/** The members of a record before flattening: JSON, and values that are stored in a single field. */
export type RecordJson = ExactJson | Instant | JsonText | readonly RecordJson[] | { readonly [key: string]: RecordJson }

/** Returns a list or object as JSON text; times in it are in RFC 3339. */
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
 * Flattens a value into the row: nested objects become dotted names, arrays become JSON text, `null` and empty objects
 * are dropped. Stops when the row has more than `mostFields` fields.
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

/** Objects with typed attributes of a record. Their members are stored under their own names. */
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
 * Returns a JSON object as a record. Members of attribute maps get their own names; if the record has a field with that
 * name, the name of the map is prepended.
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
  /** True if the record contains a readable time. */
  readonly hasTime: boolean
  /** The value of the time field if it is not a readable time. */
  readonly unreadableTime: Value | undefined
}

/** Options for reading records. */
export interface ReadContext {
  /** The time of records that have no readable time. */
  readonly nowNs: bigint
  /** The time of the last change of their file. */
  readonly modifiedNs?: bigint | undefined
  readonly options?: RecordOptions | undefined
}

/** Returns the context for times without a year or day. Records of a file cannot be later than its last change. */
export function timeContextOf({ nowNs, modifiedNs = nowNs, options }: ReadContext): TimeContext {
  return { nowNs: modifiedNs < nowNs ? modifiedNs : nowNs, zone: options?.zone }
}

/**
 * Returns a record whose members have the names of the table's fields, according to the table's record shapes and the
 * options.
 */
function placedByOptions(definition: RecordTableDefinition, given: MutableRow, context: ReadContext) {
  const record = withSaidFields(given, context.options)
  const table = tableAsSaid(definition, context.options)
  return { record, table, ...placeFields(table, record, timeContextOf(context)) }
}

/** Returns the time of a record, by the names and formats of a table; `undefined` if it has no readable time. */
export function timeOfRecord(
  definition: RecordTableDefinition,
  record: MutableRow,
  context: ReadContext,
): Instant | undefined {
  const { timeNs } = placedByOptions(definition, record, context)
  return timeNs === undefined ? undefined : new Instant(timeNs)
}

/**
 * Returns a record in the form that the table stores: members assigned by `placeFields`, and the time field as an
 * `Instant`. A record without a readable time gets `nowNs`. An unreadable value of the time field is stored as `<time
 * field>.text`.
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
