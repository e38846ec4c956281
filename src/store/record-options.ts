import { isEmptyValue, printStreamName, toText, type MutableRow } from '../data/index.ts'
import type { RecordTableDefinition } from '../plan/index.ts'

/** Options of a sender for its records; absent members follow the catalog. */
export interface RecordOptions {
  /** Names under which the time is looked for, the first that a record has; nested ones with dots. */
  readonly timeFields?: readonly string[]
  /** The same for the text of a record. */
  readonly textFields?: readonly string[]
  /** The same for its level. */
  readonly levelFields?: readonly string[]
  /** Fields whose values tell streams apart: a record keeps them as its `_stream`, unless it brings one. */
  readonly streamFields?: readonly string[]
  /** Zone of times that name none: of the IANA database, or an offset as `+02:00`. UTC unless given. */
  readonly zone?: string
  /** Fields that every record gets, whatever it has under their names. */
  readonly extraFields?: Readonly<Record<string, string>>
  /** Fields that a record gets where it has none of their names. */
  readonly defaultFields?: Readonly<Record<string, string>>
  /** Fields that are dropped; a name that ends with `*` stands for all that begin so. */
  readonly ignoreFields?: readonly string[]
  /** False when every line of a text is a record of its own. */
  readonly multiline?: boolean
}

const LEVEL_FIELD = 'level'
const STREAM_FIELD = '_stream'

/** Whether records come to have other fields than they bring. */
export function changesFields(options: RecordOptions | undefined): boolean {
  const { extraFields, defaultFields, ignoreFields, streamFields } = options ?? {}
  return [extraFields, defaultFields, ignoreFields, streamFields].some((each) => each !== undefined)
}

/** The record with the fields that it is said to have, and without those that it is not. */
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

/** Puts the name of the stream beside its fields, which may be said as the record or as the table calls them. */
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
 * A table whose aliases are what the options say first, then the field's own name, then what the catalog says: a name
 * in the options wins over all others, which stay beside it as aliases do.
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
