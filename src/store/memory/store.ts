import { Options, checkArgument, hasMember, invariant } from '../../base/index.ts'
import type { RecordCatalog } from '../../plan/index.ts'
import { standardCatalog } from '../domains/index.ts'
import { MemoryTable } from './table/memory-table.ts'
import type { MemoryTableOptions } from './table/table-options.ts'
import type { TableView } from './table/table-view.ts'

const tableOptions = new Options<MemoryTableOptions>({
  keptFields: 'object',
  keptRows: 'object',
  positionField: 'string',
  isReadOnce: 'boolean',
  hasCodes: 'boolean',
  mostFields: 'number',
})

/** Tables in memory, one for each table of the catalog. */
export interface MemoryStore {
  readonly catalog: RecordCatalog
  /** The tables as engines read them. An engine accepts the store itself as its tables. */
  readonly tables: ReadonlyMap<string, TableView>
  /** The same tables, with their writers and sealers. */
  readonly memoryTables: ReadonlyMap<string, MemoryTable>
  /** Returns the table with a name of the catalog. Throws for any other name, which is a programming error. */
  table(name: string): MemoryTable
}

/**
 * Creates a store with a table for each entry of the catalog, by default the standard catalog. `options` apply to every
 * table.
 */
export function createMemoryStore(
  catalog: RecordCatalog = standardCatalog,
  options: MemoryTableOptions = {},
): MemoryStore {
  checkArgument(hasMember(catalog, 'tables'), catalog, 'a catalog or nothing', 'createMemoryStore(standardCatalog)')
  tableOptions.check(options, '`createMemoryStore`')
  const memoryTables = new Map(
    [...catalog.tables.values()].map((definition) => [definition.name, new MemoryTable(definition, options)]),
  )
  return {
    catalog,
    tables: new Map(Array.from(memoryTables, ([name, { view }]) => [name, view])),
    memoryTables,
    table(name) {
      const table = memoryTables.get(name)
      invariant(table !== undefined, `no table named ${name}`)
      return table
    },
  }
}
