import { bind } from '../analyze/index.ts'
import type { Field, Schema } from '../data/index.ts'
import { lower, openParameters, parse } from '../lang/log/index.ts'
import type { TableDefinition } from '../plan/index.ts'
import type { EditorOptions } from './editor-options.ts'

export function tableOf({ catalog, table }: EditorOptions): TableDefinition | undefined {
  return catalog.tables.get(table ?? catalog.defaultTable)
}

const nothing: Schema = { fields: [], isOpen: true }

/**
 * The fields that rows have behind a query, as far as it can be read; those of the table behind an empty one. Nothing
 * is optimized or run.
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

/** A field by its name or an alias of the table. */
export function fieldOf(name: string, schema: Schema, options: EditorOptions): Field | undefined {
  const resolved = tableOf(options)?.aliases.get(name) ?? name
  return schema.fields.find((field) => field.name === resolved || field.name === name)
}
