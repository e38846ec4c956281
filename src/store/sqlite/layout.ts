import type { Field } from '../../data/index.ts'
import type { TableDefinition } from '../../plan/index.ts'

/** A declared field and the SQLite column that holds it, encoded as `encodeValue` says. */
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
 * How a table of the catalog lies in SQLite. Every name here is made by this file out of declared names: the list of
 * identifiers that a statement may contain.
 */
export interface TableLayout {
  readonly definition: TableDefinition
  readonly table: string
  /** The contentless word index; its rowid is `id`. */
  readonly wordsTable: string
  /** Declared fields except the time field, the text field last. */
  readonly columns: readonly ColumnLayout[]
  readonly byField: ReadonlyMap<string, ColumnLayout>
  readonly indexes: readonly IndexLayout[]
}

/** Columns every table has. `id` grows with ingestion, so it orders rows of one instant as `sequence` does. */
export const own = { id: 'id', timeNs: 'time_ns', sequence: 'sequence', rest: 'rest' } as const

const PLAIN = /^[a-z][a-z0-9_]*$/
const RESERVED: ReadonlySet<string> = new Set([...Object.values(own), 'rowid', 'oid', 'rank'])

/** A declared name where it is a plain one; else a made-up one. Never two alike, whatever their case. */
function identifier(name: string, fallback: string, taken: Set<string>): string {
  let made = PLAIN.test(name) && !RESERVED.has(name) && !/^c\d+$/.test(name) ? name : fallback
  while (taken.has(made)) made = `${made}_`
  taken.add(made)
  return made
}

/** Fields by which an index on each single one, followed by time, is worth its cost. */
function isIndexed(field: Field, definition: TableDefinition): boolean {
  return field.name !== definition.textField && field.type !== 'json' && field.type !== 'any'
}

/** Indexes over several fields that the questions of each table ask for; `_time` may be part of one. */
export type ExtraIndexes = ReadonlyMap<string, readonly (readonly string[])[]>

export const standardIndexes: ExtraIndexes = new Map([
  [
    'logs',
    [
      ['level', 'duration_ms'],
      ['status', 'duration_ms'],
      ['workload', 'level'],
      ['namespace', 'level', '_time'],
    ],
  ],
])

export function tableLayout(definition: TableDefinition, position: number, extra: ExtraIndexes): TableLayout {
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
  const lists: (readonly string[])[] = [[timeField]]
  for (const { field } of columns) {
    if (isIndexed(field, definition)) lists.push(field.type === 'number' ? [field.name] : [field.name, timeField])
  }
  for (const list of extra.get(name) ?? []) {
    if (list.every((field) => columnOf(field) !== undefined)) lists.push(list)
  }
  const indexes = lists.map((list) => {
    const found = list.map((field) => columnOf(field) ?? '')
    return { name: `${table}_by_${found.join('_')}`, columns: found }
  })
  return { definition, table, wordsTable: `${table}_words`, columns, byField, indexes }
}

/** Changes when the columns of a stored table would. */
export function layoutFingerprint(layout: TableLayout): string {
  return JSON.stringify([
    layout.definition.timeField,
    layout.columns.map((c) => [c.field.name, c.field.type, c.column]),
  ])
}
