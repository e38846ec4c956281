import { isEmptyValue, printStreamName, toText, type MutableRow } from '../data/index.ts'
import type { RecordTableDefinition } from '../plan/index.ts'

/** Options that a sender gives for its records. Absent members have the defaults of the catalog. */
export interface RecordOptions {
  /** Names of the time field; a dot separates the names of nested members. The first name that a record has is used. */
  readonly timeFields?: readonly string[]
  /** Names of the text field, in the form of `timeFields`. */
  readonly textFields?: readonly string[]
  /** Names of the level field, in the form of `timeFields`. */
  readonly levelFields?: readonly string[]
  /** Fields that identify a stream. Their values form the field `_stream`, unless the record already has that field. */
  readonly streamFields?: readonly string[]
  /** Time zone of times without a zone: an IANA name, or an offset such as `+02:00`. Default: UTC. */
  readonly zone?: string
  /** Fields to set in every record. They replace fields of the same name. */
  readonly extraFields?: Readonly<Record<string, string>>
  /** Fields to set in every record that lacks a field of the same name. */
  readonly defaultFields?: Readonly<Record<string, string>>
  /** Fields to drop. A name that ends with `*` is a prefix. */
  readonly ignoreFields?: readonly string[]
  /** False if every line of a text is a separate record. */
  readonly multiline?: boolean
}

const LEVEL_FIELD = 'level'
const STREAM_FIELD = '_stream'

/** True if the options add or drop fields. */
export function changesFields(options: RecordOptions | undefined): boolean {
  const { extraFields, defaultFields, ignoreFields, streamFields } = options ?? {}
  return [extraFields, defaultFields, ignoreFields, streamFields].some((each) => each !== undefined)
}

/** Returns the record with the fields that the options add, and without those that they drop. */
export function withSaidFields(record: MutableRow, options: RecordOptions | undefined): MutableRow {
  if (options === undefined || !changesFields(options)) return record
  const { extraFields = {}, defaultFields = {}, ignoreFields = [] } = options
  const isIgnored = (name: string): boolean =>
    ignoreFields.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each))
  const said: MutableRow = new Map([...record].filter(([name]) => !isIgnored(name)))
  for (const [name, value] of Object.entries(defaultFields))
    if ((said.get(name) ?? null) === null) said.set(name, value)
  for (const [name, value] of Object.entries(extraFields)) said.set(name, value)
  return said
}

/** Sets `_stream` from the values of the stream fields. Options may name these as in the record or as in the table. */
export function setStream(row: MutableRow, record: MutableRow, options: RecordOptions | undefined): void {
  const { streamFields = [] } = options ?? {}
  if (streamFields.length === 0 || !isEmptyValue(row.get(STREAM_FIELD) ?? null)) return
  const name = printStreamName(
    streamFields.map((field) => [field, toText(row.get(field) ?? record.get(field) ?? null)] as const),
  )
  if (name !== '{}') row.set(STREAM_FIELD, name)
}

const tablesByOptions = new WeakMap<RecordOptions, WeakMap<RecordTableDefinition, RecordTableDefinition>>()

/**
 * Returns the table with the names of the options as aliases. For each field, names in the options are tried first,
 * then the field's own name, then the aliases of the catalog. Values under names that lose are stored under these
 * names.
 */
export function tableAsSaid(table: RecordTableDefinition, options: RecordOptions | undefined): RecordTableDefinition {
  if (options === undefined) return table
  const tables = tablesByOptions.get(options) ?? new WeakMap<RecordTableDefinition, RecordTableDefinition>()
  tablesByOptions.set(options, tables)
  const known = tables.get(table)
  if (known !== undefined) return known
  const made = withNames(table, options)
  tables.set(table, made)
  return made
}

function withNames(table: RecordTableDefinition, options: RecordOptions): RecordTableDefinition {
  const aliases = new Map<string, string>()
  const said = [
    [table.timeField, options.timeFields ?? []],
    [table.textField, options.textFields ?? []],
    [LEVEL_FIELD, options.levelFields ?? []],
  ] as const
  for (const [field, names] of said) {
    if (names.length === 0) continue
    for (const name of [...names, field]) if (!aliases.has(name)) aliases.set(name, field)
  }
  if (aliases.size === 0) return table
  for (const [name, field] of table.aliases) if (!aliases.has(name)) aliases.set(name, field)
  return { ...table, aliases }
}
