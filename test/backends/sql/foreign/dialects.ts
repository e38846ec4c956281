import { clickhouse } from '../../../../src/backends/sql/dialects/clickhouse.ts'
import { postgres } from '../../../../src/backends/sql/dialects/postgres.ts'
import {
  duckdb,
  foreignStatements,
  type FieldMapping,
  type ForeignStatements,
  type TableMapping,
} from '../../../../src/backends/sql/index.ts'
import type { DataType } from '../../../../src/data/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'

/** An engine's type names for the columns of a plain log table. */
interface TypeNames {
  readonly text: string
  readonly integer: string
  readonly float: string
  readonly time: string
  readonly attributes: 'map' | 'json'
}

const columns: readonly (readonly [name: string, type: keyof TypeNames, seen: DataType])[] = [
  ['seq', 'integer', 'integer'],
  ['level', 'text', 'string'],
  ['workload', 'text', 'string'],
  ['namespace', 'text', 'string'],
  ['env', 'text', 'string'],
  ['cluster', 'text', 'string'],
  ['pod', 'text', 'string'],
  ['trace_id', 'text', 'string'],
  ['status', 'integer', 'integer'],
  ['duration_ms', 'float', 'number'],
  ['content', 'text', 'string'],
]

/** Returns the mapping of a log table with ordinary columns, plus one column for all further fields. */
function plainLogs(types: TypeNames): TableMapping {
  return {
    name: 'logs',
    source: { kind: 'table', path: ['logs'] },
    time: { field: '_time', column: 'time', nativeType: types.time, isNullable: false, unit: 'timestamp' },
    textField: 'content',
    streamFields: ['workload'],
    fields: columns.map(([name, type, seen]): FieldMapping => ({
      name,
      column: name,
      path: [],
      type: seen,
      nativeType: types[type],
      isNullable: name !== 'seq',
      aliases: [],
    })),
    attributes: [{ column: 'attributes', kind: types.attributes, prefix: '' }],
    tieBreak: ['seq'],
    domain: undefined,
    words: undefined,
  }
}

const duckdbTypes: TypeNames = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  float: 'DOUBLE',
  time: 'TIMESTAMP_NS',
  attributes: 'map',
}
const clickhouseTypes: TypeNames = {
  text: 'Nullable(String)',
  integer: 'Nullable(Int64)',
  float: 'Nullable(Float64)',
  time: 'DateTime64(9)',
  attributes: 'map',
}
const postgresTypes: TypeNames = {
  text: 'text',
  integer: 'bigint',
  float: 'double precision',
  time: 'timestamp with time zone',
  attributes: 'json',
}

/** The SQL compiler of each dialect over such a table, for golden files and counts. */
export const dialectsUnderTest: readonly ForeignStatements[] = [
  foreignStatements({ name: 'duckdb', dialect: duckdb }, [plainLogs(duckdbTypes)], standardFunctions),
  foreignStatements({ name: 'clickhouse', dialect: clickhouse }, [plainLogs(clickhouseTypes)], standardFunctions),
  foreignStatements({ name: 'postgres', dialect: postgres }, [plainLogs(postgresTypes)], standardFunctions),
]
