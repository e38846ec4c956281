import { work } from '../../base/index.ts'
import {
  Instant,
  fieldOfJson,
  isJsonObject,
  JsonText,
  parseJsonExact,
  type ExactJson,
  type ExactJsonObject,
  type MutableRow,
  type Value,
} from '../../data/index.ts'
import type { RecordTableDefinition } from '../../plan/index.ts'

/** Name of the field that has, as one JSON object, the values of fields beyond a table's limit of columns. */
export const OTHER_FIELDS = '_other_fields'

/**
 * Returns the fields that always get a column: the fields of the catalog, the fields that identify streams, and the
 * text field.
 */
export function reservedFields({ schema, streamFields, textField }: RecordTableDefinition): Set<string> {
  return new Set([...schema.fields.map(({ name }) => name), ...streamFields, textField])
}

/** True if JSON can represent a value. Times, infinities and NaN become texts in `OTHER_FIELDS`. */
export function hasJsonForm(value: Value): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : !(value instanceof Instant)
}

/** Returns the members in a value of `OTHER_FIELDS` by name; none if the value is not a JSON object. */
export function otherFieldsOf(value: Value): MutableRow {
  const members: MutableRow = new Map()
  const object = objectIn(value)
  if (object === undefined) return members
  for (const [name, member] of Object.entries(object)) members.set(name, valueOf(member))
  return members
}

/** Returns one member in a value of `OTHER_FIELDS`; `null` if it is absent. */
export function otherFieldOf(value: Value, name: string): Value {
  const object = objectIn(value)
  return object !== undefined && Object.hasOwn(object, name) ? valueOf(object[name] ?? null) : null
}

/** Returns the value of a JSON member. A number written with an exponent becomes a float, as it was before. */
function valueOf(member: ExactJson): Value {
  const value = fieldOfJson(member)
  return value instanceof JsonText && String(Number(value.json)) === value.json ? Number(value.json) : value
}

function objectIn(value: Value): ExactJsonObject | undefined {
  if (!(value instanceof JsonText)) return undefined
  // Charges one unit of work per 8 characters to parse.
  work(value.json.length >>> 3)
  const parsed = parseJsonExact(value.json)
  return isJsonObject(parsed) ? parsed : undefined
}
