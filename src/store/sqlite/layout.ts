import type { Field } from '../../data/index.ts'
import type { RecordTableDefinition } from '../../plan/index.ts'

/** A declared field, and the SQLite column that stores its values as encoded by `encodeValue`. */
export interface ColumnLayout {
  readonly field: Field
  readonly column: string
  readonly isText: boolean
}

export interface IndexLayout {
  readonly name: string
  readonly columns: readonly string[]
}

/**
 * How SQLite stores a table of the catalog. All identifiers in statements come from this file, which derives them from
 * declared names.
 */
export interface TableLayout {
  readonly definition: RecordTableDefinition
  readonly table: string
  /** The contentless FTS5 table with the word index. Its rowid is `id`. */
  readonly wordsTable: string
  /** The declared fields without the time field. The text field is last. */
  readonly columns: readonly ColumnLayout[]
  readonly byField: ReadonlyMap<string, ColumnLayout>
  readonly indexes: readonly IndexLayout[]
}

/**
 * Columns that every table has. `id` orders rows with the same time by ingestion. The operator `sample` selects rows by
 * `hash`.
 */
export const own = { id: 'id', timeNs: 'time_ns', hash: 'hash', rest: 'rest' } as const

const PLAIN = /^[a-z][a-z0-9_]*$/
const RESERVED: ReadonlySet<string> = new Set([...Object.values(own), 'rowid', 'oid', 'rank'])

/**
 * Returns the declared name if it is a plain identifier, else `fallback`. Names are made unique within a table,
 * ignoring case.
 */
function identifier(name: string, fallback: string, taken: Set<string>): string {
  let made = PLAIN.test(name) && !RESERVED.has(name) && !/^c\d+$/.test(name) ? name : fallback
  while (taken.has(made)) made = `${made}_`
  taken.add(made)
  return made
}

/** For each table, the indexes: each is a list of fields. Rows with equal fields are ordered by id. */
export type Indexes = ReadonlyMap<string, readonly (readonly string[])[]>

/** Indexes for typical queries over logs. The text field is not indexed here, since it has the word index. */
const standardIndexes: Indexes = new Map([
  [
    'logs',
    [
      ['level', '_time'],
      ['level', 'duration_ms'],
      ['namespace', '_time'],
      ['namespace', 'level', '_time'],
      ['workload', '_time'],
      ['workload', 'level'],
      ['workload', 'pod', 'status', 'duration_ms'],
      ['pod', '_time'],
      ['status', '_time'],
      ['status', 'duration_ms'],
      ['duration_ms'],
      ['trace_id', '_time'],
      ['span_id'],
    ],
  ],
])

/**
 * Returns the indexes of a table that has no entry in `Indexes`: one per comparable declared field, followed by the
 * time unless the field is a number.
 */
function defaultIndexes({ schema, textField, timeField }: RecordTableDefinition): readonly (readonly string[])[] {
  return schema.fields
    .filter(({ name, type }) => name !== textField && name !== timeField && type !== 'json' && type !== 'any')
    .map(({ name, type }) => (type === 'number' ? [name] : [name, timeField]))
}

function tableLayout(definition: RecordTableDefinition, position: number, indexLists: Indexes): TableLayout {
  const { schema, timeField, textField, name } = definition
  const table = PLAIN.test(name) && !name.startsWith('sluice_') ? name : `table_${position}`
  const taken = new Set<string>()
  const columns = schema.fields
    .map((field, i) => ({ field, i }))
    .filter(({ field }) => field.name !== timeField)
    .map(({ field, i }) => ({
      field,
      column: identifier(field.name, `field_${i}`, taken),
      isText: field.name === textField,
    }))
    .sort((a, b) => Number(a.isText) - Number(b.isText))
  const byField = new Map(columns.map((column) => [column.field.name, column]))
  const columnOf = (field: string): string | undefined =>
    field === timeField ? own.timeNs : byField.get(field)?.column
  const lists = [[timeField], ...(indexLists.get(name) ?? defaultIndexes(definition))].filter((list) =>
    list.every((field) => columnOf(field) !== undefined),
  )
  const indexes = lists.map((list) => {
    const found = list.map((field) => columnOf(field) ?? '')
    return { name: `${table}_by_${found.join('_')}`, columns: found }
  })
  return { definition, table, wordsTable: `${table}_words`, columns, byField, indexes }
}

/** Returns the layouts of tables, by name and in the order of the tables. */
export function tableLayouts(
  definitions: Iterable<RecordTableDefinition>,
  indexes: Indexes = standardIndexes,
): ReadonlyMap<string, TableLayout> {
  const layouts = new Map<string, TableLayout>()
  for (const definition of definitions) {
    layouts.set(definition.name, tableLayout(definition, layouts.size, indexes))
  }
  return layouts
}

/** Returns a string that differs between layouts with different columns. */
export function layoutFingerprint(layout: TableLayout): string {
  return JSON.stringify([
    layout.definition.timeField,
    layout.columns.map((c) => [c.field.name, c.field.type, c.column]),
  ])
}
