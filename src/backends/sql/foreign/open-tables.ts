import { standardFunctions } from '../../../functions/index.ts'
import type { TableDefinition } from '../../../plan/index.ts'
import type { Backend, StatementCompiler } from '../../backend.ts'
import type { SqliteFileEngine } from '../engines/sqlite-file.ts'
import { fileDefinition, sqliteFileBackend } from '../sqlite-file/backend.ts'
import { foreignBackend } from './backend.ts'
import type { ForeignEngine } from './engine.ts'
import type { TableMapping } from './mapping.ts'

/** Tables of a database, and who runs plans over them. */
export interface ForeignTables {
  readonly backend: Backend & StatementCompiler
  readonly definitions: readonly TableDefinition[]
}

function isFile(engine: ForeignEngine): engine is SqliteFileEngine {
  return 'driver' in engine
}

/** Mapped tables of a database for an engine of queries. */
export function foreignTables(engine: ForeignEngine, mappings: readonly TableMapping[]): ForeignTables {
  if (isFile(engine)) {
    return { backend: sqliteFileBackend(engine, mappings), definitions: mappings.map(fileDefinition) }
  }
  const backend = foreignBackend(engine, mappings, standardFunctions)
  return { backend, definitions: [...backend.catalog.tables.values()] }
}
