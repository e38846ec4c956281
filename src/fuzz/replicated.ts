import { canShareMemory, present } from '../base/index.ts'
import { TablePublisher, TableReplica, type MemoryStore, type OpenStored } from '../store/index.ts'

export interface Replicated {
  readonly tables: ReadonlyMap<string, TableReplica>
  /** Sends the replica the rows that were stored since the last call. */
  readonly update: () => void
}

/**
 * Returns the tables as a query worker sees them; `undefined` if memory cannot be shared. `opens` has the function that
 * opens the files of each table.
 */
export function replicated(
  store: MemoryStore,
  opens: ReadonlyMap<string, OpenStored> = new Map(),
): Replicated | undefined {
  if (!canShareMemory) return undefined
  const all = Array.from(store.memoryTables.values(), (table) => {
    const openOf = (): OpenStored => present(opens.get(table.definition.name), 'a table with files')
    // Looks up the function at each call, since a table may get its files later.
    const open: OpenStored = {
      segment: (...sent) => openOf().segment(...sent),
      dictionary: (...sent) => openOf().dictionary(...sent),
    }
    return { publisher: new TablePublisher(table), replica: new TableReplica(table.definition, open) }
  })
  return {
    tables: new Map(all.map(({ replica }) => [replica.definition.name, replica])),
    update: () => {
      for (const { publisher, replica } of all)
        for (const news of publisher.news()) replica.apply(structuredClone(news))
    },
  }
}
