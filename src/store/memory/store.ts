import { invariant } from '../../base/index.ts'
import type { RecordCatalog } from '../../plan/index.ts'
import { MemoryTable, type MemoryTableOptions } from './table.ts'

/** Tables held in memory, one for each the catalog declares. */
export interface MemoryStore {
  readonly catalog: RecordCatalog
  readonly tables: ReadonlyMap<string, MemoryTable>
  /** A table the catalog declares; a name that it does not declare is a mistake of the program. */
  table(name: string): MemoryTable
}

/** `options` hold for every table. */
export function createMemoryStore(catalog: RecordCatalog, options: MemoryTableOptions = {}): MemoryStore {
  const tables = new Map(
    [...catalog.tables.values()].map((definition) => [definition.name, new MemoryTable(definition, options)]),
  )
  return {
    catalog,
    tables,
    table(name) {
      const table = tables.get(name)
      invariant(table !== undefined, `no table named ${name}`)
      return table
    },
  }
}
