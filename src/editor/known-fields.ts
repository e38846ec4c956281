import { bind } from '../analyze/index.ts'
import { field, type Field, type Schema } from '../data/index.ts'
import { lower, openParameters, parse } from '../lang/log/index.ts'
import type { KnownFields, TableDefinition } from '../plan/index.ts'
import type { EditorOptions } from './editor-options.ts'

export function tableOf({ catalog, table }: EditorOptions): TableDefinition | undefined {
  return catalog.tables.get(table ?? catalog.defaultTable)
}

/** Returns the fields and values in the data of the current table, if they are known. */
function knownOf(options: EditorOptions): KnownFields | undefined {
  const table = tableOf(options)
  return table && options.known?.(table.name)
}

/** Returns the fields of a schema; if the schema is open, also the undeclared fields in the data. */
export function fieldsBehind({ fields, isOpen }: Schema, options: EditorOptions): readonly Field[] {
  const known = isOpen ? knownOf(options)?.fields() : undefined
  if (known === undefined) return fields
  const declared = new Set(fields.map(({ name }) => name))
  const others = [...known].filter(([name]) => !declared.has(name)).toSorted(([, a], [, b]) => b - a)
  return [...fields, ...others.map(([name]) => field(name, 'any', 'dynamic'))]
}

/** Returns suggested values of a field: those of the options, else those in the data, most frequent first. */
export function valuesOf(name: string, options: EditorOptions): readonly string[] {
  const given = options.values?.(name) ?? []
  if (given.length > 0) return given
  const texts = knownOf(options)?.texts(name) ?? new Map<string, number>()
  return [...texts].toSorted(([, a], [, b]) => b - a).map(([text]) => text)
}

const nothing: Schema = { fields: [], isOpen: true }

/**
 * Returns the fields of the rows that a query produces, as far as the query can be parsed; the fields of the table for
 * an empty query. Does not optimize or run the query.
 */
export function schemaBehind(query: string, options: EditorOptions): Schema {
  const table = tableOf(options)
  if (table === undefined) return nothing
  if (query.trim() === '') return table.schema
  const { catalog, functions, dialect = 'native' } = options
  const { ast } = parse(query, {
    parameters: openParameters(query, { dialect }),
    dialect,
    functionNames: functions.stats.names(),
    vocabulary: options.vocabulary,
  })
  if (ast.filter === undefined && ast.pipes.length === 0) return table.schema
  const plan = lower(ast, { dialect, nowNs: 0n, table: table.name, textField: table.textField })
  return bind(plan, { catalog, functions, dialect }).schema
}

/** Returns a field by its name or an alias of the table. */
export function fieldOf(name: string, schema: Schema, options: EditorOptions): Field | undefined {
  const resolved = tableOf(options)?.aliases.get(name) ?? name
  return schema.fields.find((each) => each.name === resolved || each.name === name)
}
