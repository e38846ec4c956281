import { standardFunctions } from '../../../functions/index.ts'
import type { TableDefinition } from '../../../plan/index.ts'
import type { Backend, StatementCompiler } from '../../backend.ts'
import type { SqliteFileEngine } from '../engines/sqlite-file.ts'
import { fileDefinition, sqliteFileBackend, sqliteFileStatements } from '../sqlite-file/backend.ts'
import { clickhouse } from '../dialects/clickhouse.ts'
import { duckdb } from '../dialects/duckdb.ts'
import { postgres } from '../dialects/postgres.ts'
import { foreignBackend, foreignStatements } from './backend.ts'
import type { ForeignEngine, ForeignName } from './engine.ts'
import type { TableMapping } from './mapping.ts'

/** The tables of an open database, and the backend that runs plans over them. */
export interface ForeignTables {
  readonly backend: Backend & StatementCompiler
  readonly definitions: readonly TableDefinition[]
}

/** Tables of a database and a compiler of statements over them, without a connection. The database need not exist. */
export interface ForeignCompiler {
  readonly compiler: StatementCompiler
  readonly definitions: readonly TableDefinition[]
}

const dialects = { duckdb, clickhouse, postgres } as const

/** Returns a compiler of statements over mapped tables. `name` is the database's engine; no connection is needed. */
export function foreignCompiler(name: ForeignName, mappings: readonly TableMapping[]): ForeignCompiler {
  if (name === 'sqlite') {
    return { compiler: sqliteFileStatements(mappings), definitions: mappings.map(fileDefinition) }
  }
  const compiler = foreignStatements({ name, dialect: dialects[name] }, mappings, standardFunctions)
  return { compiler, definitions: [...compiler.catalog.tables.values()] }
}

function isFile(engine: ForeignEngine): engine is SqliteFileEngine {
  return 'driver' in engine
}

/** Makes mapped tables of an open database available to `createEngine`. */
export function foreignTables(engine: ForeignEngine, mappings: readonly TableMapping[]): ForeignTables {
  if (isFile(engine)) {
    return { backend: sqliteFileBackend(engine, mappings), definitions: mappings.map(fileDefinition) }
  }
  const backend = foreignBackend(engine, mappings, standardFunctions)
  return { backend, definitions: [...backend.catalog.tables.values()] }
}
