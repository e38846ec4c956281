import { canShareMemory } from '../base/index.ts'
import { TablePublisher, TableReplica, type MemoryStore } from '../store/index.ts'

export interface Replicated {
  readonly tables: ReadonlyMap<string, TableReplica>
  /** Tells them of what was stored since. */
  readonly update: () => void
}

/** The tables as a query worker has them; `undefined` where memory cannot be shared. */
export function replicated(store: MemoryStore): Replicated | undefined {
  if (!canShareMemory) return undefined
  const all = Array.from(store.tables.values(), (table) => ({
    publisher: new TablePublisher(table),
    replica: new TableReplica(table.definition),
  }))
  return {
    tables: new Map(all.map(({ replica }) => [replica.definition.name, replica])),
    update: () => {
      for (const { publisher, replica } of all)
        for (const news of publisher.news()) replica.apply(structuredClone(news))
    },
  }
}
