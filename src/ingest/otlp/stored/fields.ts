import { spansTable } from '../../../store/index.ts'
import { PLACES } from '../attributes.ts'

/** Names of fields of the table `spans` that hold what is not an attribute: declared and derived fields. */
export const STORED_FIELDS: ReadonlySet<string> = new Set([
  ...spansTable.schema.fields.map(({ name }) => name),
  ...spansTable.aliases.keys(),
  ...PLACES.map(([field]) => field),
  'status_message',
  'scope.name',
  '_stream',
  '_stream_id',
])

/** Fields with what the other fields of a span cannot say: attributes of itself, and those of its resource and scope. */
export const OTLP_FIELDS: readonly string[] = ['otlp', 'otlp_shared']

/** Fields that only some spans have, and that an attribute of the same name must not fill. */
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

/** The store moves a member with another name of these fields below them, such as `span_name.content`. */
const PREFIXES = [`${spansTable.timeField}.`, `${spansTable.textField}.`]

/** Whether a field of this name holds an attribute, so that an attribute of this name can be stored in it. */
export function isAttributeField(name: string): boolean {
  return name !== '' && !STORED_FIELDS.has(name) && !PREFIXES.some((prefix) => name.startsWith(prefix))
}
