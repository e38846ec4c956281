import { spansTable } from '../../../store/index.ts'
import { PLACES } from '../attributes.ts'

/** Fields of the table `spans` that do not hold an attribute: declared and derived fields. */
export const STORED_FIELDS: ReadonlySet<string> = new Set([
  ...spansTable.schema.fields.map(({ name }) => name),
  ...spansTable.aliases.keys(),
  ...PLACES.map(([field]) => field),
  'status_message',
  'scope.name',
  '_stream',
  '_stream_id',
])

/**
 * Fields with the details of a span that no other field can represent: `otlp` for the span itself, `otlp_shared` for
 * its resource and scope.
 */
export const OTLP_FIELDS: readonly string[] = ['otlp', 'otlp_shared']

/** Fields that only some spans have. An attribute with one of these names must not be stored in the field. */
export const SPAN_FIELDS: readonly string[] = [
  'parent_span_id',
  'status_message',
  'duration_seconds',
  'scope.name',
  'scope.version',
  'events',
  'links',
  ...OTLP_FIELDS,
]

/**
 * The store renames members that conflict with the time or text field by these prefixes, such as `span_name.content`.
 */
const PREFIXES = [`${spansTable.timeField}.`, `${spansTable.textField}.`]

/** True if an attribute with this name is stored in the field of the same name. */
export function isAttributeField(name: string): boolean {
  return name !== '' && !STORED_FIELDS.has(name) && !PREFIXES.some((prefix) => name.startsWith(prefix))
}
