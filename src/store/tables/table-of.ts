import { SAMPLE_ROWS, SluiceError, nowhere } from '../../base/index.ts'
import { Instant, type MutableRow } from '../../data/index.ts'
import type { Catalog, Table, TableDefinition } from '../../plan/index.ts'
import { defineTable, type Objects } from './define-table.ts'
import { tableDiagnostic } from './diagnostics.ts'
import { rowOfObject } from './object-row.ts'

/**
 * A source of rows: an array of plain objects, a function that returns them or a promise of them for each scan, or a
 * table.
 */
export type TableInput = readonly object[] | (() => Objects | PromiseLike<Objects>) | Table

const timeNames = ['_time', '@timestamp', 'timestamp', 'time', 'ts', 'date']
const textNames = ['content', '_msg', 'message', 'msg', 'body', 'text']

/** Matches a string that looks like a time. A number alone is not evidence of a time field. */
const timeText = /^\d{4}-\d\d-\d\d[T ]/

function isTime(value: unknown, name: string): boolean {
  if (value instanceof Instant) return true
  return name === '_time' ? value !== undefined : typeof value === 'string' && timeText.test(value)
}

/** Returns the first of some usual names that most rows have and whose values are all of the kind. */
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

/** Determines the fields of the first rows, and by names and values the time field and the text field. */
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

/** Returns a table under another name. */
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
 * Makes a table of a user's data. For an array it detects the time field (`_time`, `timestamp`, `time`, `ts` … with
 * dates or RFC 3339 texts) and the text field (`content`, `message`, `msg` …); `defineTable` allows setting them. The
 * array and its objects may change: each query reads the current values and reuses columns that are unchanged. Throws
 * SluiceError `table/…` for what is not a table.
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

/** Tables by name, a list of tables, or those of a store. */
export type TablesInput = Readonly<Record<string, TableInput>> | readonly Table[] | ReadonlyMap<string, Table>

/** Tables by name, and the catalog against which queries are bound. */
export interface TableSet {
  readonly tables: ReadonlyMap<string, Table>
  readonly catalog: Catalog
}

/**
 * Returns the tables of an engine; a query that names no table reads the first. Throws SluiceError `table/no-tables`
 * and `table/same-name`.
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

/** Returns the catalog against which queries over these tables are bound; the first table is the default. */
export function catalogOf(tables: Iterable<Table>): Catalog {
  const definitions = [...tables].map(({ definition }) => definition)
  const [first] = definitions
  if (first === undefined) throw new SluiceError([tableDiagnostic('no-tables', {}, nowhere)])
  return { tables: new Map(definitions.map((each) => [each.name, each])), defaultTable: first.name }
}
