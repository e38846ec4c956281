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

/** The field that holds, as one JSON object, the values of a row whose names are beyond the limit of its table. */
export const OTHER_FIELDS = '_other_fields'

/** Fields that have a column whatever else a table holds: what the catalog declares, and what tells streams apart. */
export function reservedFields({ schema, streamFields, textField }: RecordTableDefinition): Set<string> {
  return new Set([...schema.fields.map(({ name }) => name), ...streamFields, textField])
}

/** Whether a value is kept in `OTHER_FIELDS` as it is: times, infinities and NaN, for which JSON has no form, become texts. */
export function hasJsonForm(value: Value): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : !(value instanceof Instant)
}

/** The members of a value of `OTHER_FIELDS`, by name; none where it is not a JSON object. */
export function otherFieldsOf(value: Value): MutableRow {
  const members: MutableRow = new Map()
  const object = objectIn(value)
  if (object === undefined) return members
  for (const [name, member] of Object.entries(object)) members.set(name, valueOf(member))
  return members
}

/** One member of a value of `OTHER_FIELDS`; `null` where there is none. */
export function otherFieldOf(value: Value, name: string): Value {
  const object = objectIn(value)
  return object !== undefined && Object.hasOwn(object, name) ? valueOf(object[name] ?? null) : null
}

/** A float that was printed with an exponent is the float again. */
function valueOf(member: ExactJson): Value {
  const value = fieldOfJson(member)
  return value instanceof JsonText && String(Number(value.json)) === value.json ? Number(value.json) : value
}

function objectIn(value: Value): ExactJsonObject | undefined {
  if (!(value instanceof JsonText)) return undefined
  // Parsing reads each character once.
  work(value.json.length >>> 3)
  const parsed = parseJsonExact(value.json)
  return isJsonObject(parsed) ? parsed : undefined
}
