import type { ForeignName, TableMapping } from '../backends/sql/index.ts'
import type { DataType } from '../data/index.ts'
import type { RecordTableDefinition } from '../plan/index.ts'
import { standardTables } from '../store/index.ts'

/** For each database the column types of the standard tables' fields. */
const types: Readonly<Record<ForeignName, Readonly<Record<DataType, string>> & { readonly others: string }>> = {
  duckdb: {
    any: 'VARCHAR',
    string: 'VARCHAR',
    number: 'DOUBLE',
    integer: 'BIGINT',
    bool: 'BOOLEAN',
    time: 'TIMESTAMP_NS',
    json: 'JSON',
    others: 'MAP(VARCHAR, VARCHAR)',
  },
  clickhouse: {
    any: 'String',
    string: 'String',
    number: 'Float64',
    integer: 'Int64',
    bool: 'Bool',
    time: 'DateTime64(9)',
    json: 'String',
    others: 'Map(String, String)',
  },
  postgres: {
    any: 'text',
    string: 'text',
    number: 'double precision',
    integer: 'bigint',
    bool: 'boolean',
    time: 'timestamp with time zone',
    json: 'jsonb',
    others: 'jsonb',
  },
  sqlite: {
    any: 'ANY',
    string: 'TEXT',
    number: 'REAL',
    integer: 'INTEGER',
    bool: 'INTEGER',
    time: 'INTEGER',
    json: 'TEXT',
    others: 'TEXT',
  },
}

function mappingOf(definition: RecordTableDefinition, engine: ForeignName): TableMapping {
  const { name, schema, timeField, textField, streamFields, aliases, domain } = definition
  const native = types[engine]
  const unit = engine === 'sqlite' ? 'ns' : 'timestamp'
  const namesOf = (field: string): readonly string[] =>
    [...aliases].flatMap(([alias, meant]) => (meant === field ? [alias] : []))
  return {
    name,
    source: { kind: 'table', path: [name] },
    time: { field: timeField, column: timeField, nativeType: native.time, isNullable: false, unit },
    textField,
    streamFields,
    fields: schema.fields
      .filter((field) => field.name !== timeField)
      .map((field) => ({
        name: field.name,
        column: field.name,
        path: [],
        type: field.type,
        nativeType: native[field.type],
        isNullable: true,
        ...(field.type === 'time' ? { unit } : {}),
        aliases: namesOf(field.name),
      })),
    attributes: [
      { column: 'attributes', kind: native.others.toLowerCase().startsWith('map') ? 'map' : 'json', prefix: '' },
    ],
    tieBreak: [],
    ...(engine === 'sqlite' ? { keepsTypes: true } : {}),
    domain,
    words: undefined,
  }
}

export function isForeignName(name: unknown): name is ForeignName {
  return typeof name === 'string' && Object.hasOwn(types, name)
}

/**
 * Returns mappings of the standard tables to tables in a database: one column per field, and a column `attributes` for
 * all other names. SQLite tables are STRICT and store times in ns.
 */
export function standardMappings(engine: ForeignName): readonly TableMapping[] {
  return standardTables.map((definition) => mappingOf(definition, engine))
}
