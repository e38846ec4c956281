import { invariant } from '../../base/index.ts'
import type { Catalog } from '../../plan/index.ts'
import { MemoryTable } from './table.ts'

/** Tables held in memory, one for each the catalog declares. */
export interface MemoryStore {
  readonly catalog: Catalog
  readonly tables: ReadonlyMap<string, MemoryTable>
  /** A table the catalog declares; asking for another is a mistake of the program. */
  table(name: string): MemoryTable
}

export function createMemoryStore(catalog: Catalog): MemoryStore {
  const tables = new Map(
    [...catalog.tables.values()].map((definition) => [definition.name, new MemoryTable(definition)]),
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
