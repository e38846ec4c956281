import { hasMember, checkArgument, SluiceError, nowhere } from '../../base/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import type { Table } from '../../plan/index.ts'
import { tableDiagnostic } from '../../store/index.ts'
import type { SqliteTelemetry } from '../../store/sqlite/index.ts'
import { backendTable } from '../backend-table.ts'
import { sqliteBackend } from './backend.ts'

/**
 * Returns a table of a telemetry database for `createEngine({ tables })`; without `given`, the database's default
 * table. Statements run in this process. Throws SluiceError `table/failed` if the database has no such table.
 */
export function sqliteTable(telemetry: SqliteTelemetry, given?: string): Table {
  checkArgument(
    hasMember(telemetry, 'catalog'),
    telemetry,
    'what `sqliteTelemetry` gives',
    'sqliteTable(sqliteTelemetry(connection))',
  )
  const name = given ?? telemetry.catalog.defaultTable
  const definition = telemetry.catalog.tables.get(name)
  if (definition === undefined) {
    const reason = `the database has ${[...telemetry.catalog.tables.keys()].map((each) => `\`${each}\``).join(', ')}`
    throw new SluiceError([tableDiagnostic('failed', { table: name, reason }, nowhere)])
  }
  return backendTable(sqliteBackend(telemetry, standardFunctions, { mode: 'in-process' }), definition)
}
