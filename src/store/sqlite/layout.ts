import type { Field } from '../../data/index.ts'
import type { RecordTableDefinition } from '../../plan/index.ts'

/** A declared field and the SQLite column that stores it, encoded by `encodeValue`. */
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
 * Storage layout of a catalog table in SQLite. This file derives every name here from declared names; statements
 * contain no other identifiers.
 */
export interface TableLayout {
  readonly definition: RecordTableDefinition
  readonly table: string
  /** The contentless FTS5 table of the word index; its rowid is `id`. */
  readonly wordsTable: string
  /** Declared fields except the time field; the text field is last. */
  readonly columns: readonly ColumnLayout[]
  readonly byField: ReadonlyMap<string, ColumnLayout>
  readonly indexes: readonly IndexLayout[]
}

/** Columns of every table. `id` orders rows with the same time by ingestion; `sample` selects rows by `hash`. */
export const own = { id: 'id', timeNs: 'time_ns', hash: 'hash', rest: 'rest' } as const

const PLAIN = /^[a-z][a-z0-9_]*$/
const RESERVED: ReadonlySet<string> = new Set([...Object.values(own), 'rowid', 'oid', 'rank'])

/**
 * Returns the declared name when it is a plain identifier, otherwise a generated one. Names are unique within a table,
 * regardless of case.
 */
function identifier(name: string, fallback: string, taken: Set<string>): string {
  let made = PLAIN.test(name) && !RESERVED.has(name) && !/^c\d+$/.test(name) ? name : fallback
  while (taken.has(made)) made = `${made}_`
  taken.add(made)
  return made
}

/** Indexes by table, each a list of fields. Rows with equal fields are ordered by id. */
export type Indexes = ReadonlyMap<string, readonly (readonly string[])[]>

/** Indexes for typical queries of operators over logs; the text field has the word index. */
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
 * Returns indexes for a table without a list: one for each comparable declared field, followed by time unless it is a
 * number.
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

/** Returns the layouts of tables by name, in the order of the tables. */
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

/** Returns a string that changes whenever the columns of the stored table change. */
export function layoutFingerprint(layout: TableLayout): string {
  return JSON.stringify([
    layout.definition.timeField,
    layout.columns.map((c) => [c.field.name, c.field.type, c.column]),
  ])
}
