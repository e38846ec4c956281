import type { Catalog, TableDefinition } from '../../plan/index.ts'
import { logsTable } from './logs.ts'

export { logsTable } from './logs.ts'

/** The standard tables, logs first. */
export const standardTables: readonly TableDefinition[] = [logsTable]

export const standardCatalog: Catalog = {
  tables: new Map(standardTables.map((table) => [table.name, table])),
  defaultTable: 'logs',
}
