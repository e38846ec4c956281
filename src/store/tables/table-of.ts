import { SAMPLE_ROWS, SluiceError, nowhere } from '../../base/index.ts'
import { Instant, type MutableRow } from '../../data/index.ts'
import type { Catalog, Table, TableDefinition } from '../../plan/index.ts'
import { defineTable, type Objects } from './define-table.ts'
import { tableDiagnostic } from './diagnostics.ts'
import { rowOfObject } from './object-row.ts'

/**
 * A source of rows: an array of plain objects, a function that is called for each scan and returns objects or a promise
 * of them, or a table.
 */
export type TableInput = readonly object[] | (() => Objects | PromiseLike<Objects>) | Table

const timeNames = ['_time', '@timestamp', 'timestamp', 'time', 'ts', 'date']
const textNames = ['content', '_msg', 'message', 'msg', 'body', 'text']

/** Matches strings that look like a time. A number alone is no evidence of a time field. */
const timeText = /^\d{4}-\d\d-\d\d[T ]/

function isTime(value: unknown, name: string): boolean {
  if (value instanceof Instant) return true
  return name === '_time' ? value !== undefined : typeof value === 'string' && timeText.test(value)
}

/** Returns the first of some usual names that most rows have with values of the right kind. */
function usualName(
  rows: readonly MutableRow[],
  names: readonly string[],
  isOfKind: (value: unknown, name: string) => boolean,
): string | undefined {
  return names.find((name) => {
    const values = rows.flatMap((row) => (row.has(name) ? [row.get(name)] : []))
    return values.length > 0 && values.length * 2 > rows.length && values.every((value) => isOfKind(value, name))
  })
}

/** Determines the fields of the first rows, and from their names and values the time field and the text field. */
function shapeOf(
  name: string,
  objects: readonly object[],
): Pick<TableDefinition, 'timeField' | 'textField'> & {
  readonly fields: readonly string[]
} {
  const rows = objects
    .slice(0, SAMPLE_ROWS)
    .map((object, index) => rowOfObject(object, { table: name, index }, undefined))
  const timeField = usualName(rows, timeNames, isTime)
  const textField = usualName(rows, textNames, (value) => typeof value === 'string')
  return {
    fields: [...new Set(rows.flatMap((row) => [...row.keys()]))],
    ...(timeField === undefined ? {} : { timeField }),
    ...(textField === undefined ? {} : { textField }),
  }
}

function isTable(input: TableInput): input is Table {
  return typeof input === 'object' && 'definition' in input && 'scan' in input
}

/** Returns a table with the same rows under another name. */
function renamed(table: Table, name: string): Table {
  if (table.definition.name === name) return table
  return {
    definition: { ...table.definition, name },
    grade: (filter) => table.grade(filter),
    scan: (request) => table.scan(request),
    ...(table.stats === undefined ? {} : { stats: () => table.stats?.() ?? {} }),
  }
}

/**
 * Returns a table over a user's data. For an array, detects the time field (`_time`, `timestamp`, `time`, `ts` … with
 * dates or RFC 3339 texts) and the text field (`content`, `message`, `msg` …); `defineTable` allows setting them. The
 * array and its objects may change: each query reads the current values, and reuses cached columns whose values did not
 * change. Throws SluiceError `table/…` if the input is no table.
 */
export function tableOf(name: string, input: TableInput): Table {
  if (typeof input === 'function') return defineTable({ name, scan: input })
  if (Array.isArray(input)) {
    const objects = input as readonly object[]
    return defineTable({
      name,
      ...shapeOf(name, objects),
      scan: () => objects,
      stats: () => ({ rows: { value: objects.length, source: 'exact' } }),
    })
  }
  if (typeof input === 'object' && input !== null && isTable(input as TableInput)) return renamed(input as Table, name)
  throw new SluiceError([tableDiagnostic('not-rows', { table: name }, nowhere)])
}

/** The tables of an engine: inputs by name, a list of tables, or the tables of a store. */
export type TablesInput = Readonly<Record<string, TableInput>> | readonly Table[] | ReadonlyMap<string, Table>

/** Tables by name, and the catalog that resolves the names in queries. */
export interface TableSet {
  readonly tables: ReadonlyMap<string, Table>
  readonly catalog: Catalog
}

/**
 * Returns the tables of an engine. A query that names no table reads the first one. Throws SluiceError
 * `table/no-tables` and `table/same-name`.
 */
export function tableSet(inputs: TablesInput): TableSet {
  const list =
    Array.isArray(inputs) || inputs instanceof Map
      ? [...(inputs as readonly Table[] | ReadonlyMap<string, Table>).values()]
      : Object.entries(inputs).map(([name, input]) => tableOf(name, input))
  const [first] = list
  if (first === undefined) throw new SluiceError([tableDiagnostic('no-tables', {}, nowhere)])
  const tables = new Map<string, Table>()
  for (const table of list) {
    const { name } = table.definition
    if (tables.has(name)) throw new SluiceError([tableDiagnostic('same-name', { name }, nowhere)])
    tables.set(name, table)
  }
  return { tables, catalog: catalogOf(tables.values()) }
}

/** Returns a catalog that resolves the names in queries over these tables. The first table is the default. */
export function catalogOf(tables: Iterable<Table>): Catalog {
  const definitions = [...tables].map(({ definition }) => definition)
  const [first] = definitions
  if (first === undefined) throw new SluiceError([tableDiagnostic('no-tables', {}, nowhere)])
  return { tables: new Map(definitions.map((each) => [each.name, each])), defaultTable: first.name }
}
