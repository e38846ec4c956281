import { tableKey } from '../durable/index.ts'
import type { MemoryTable, Segment } from '../memory/index.ts'
import { IdleTailSealer } from './idle-tail-sealer.ts'
import type { NamedRowGroup, TableFiles } from './table-files.ts'

/** A table, its files and the segments that are row groups of parts. */
export interface PersistedTable {
  readonly key: string
  readonly backend: string
  readonly table: MemoryTable
  readonly files: TableFiles
  /** Sealed segments that are not written yet, oldest first. */
  waiting: Segment[]
  /** The row groups that the manifest names, by their segment. */
  readonly rowGroups: Map<Segment, NamedRowGroup>
  /** The next sequence number that no segment has. Batches without numbers in the manifest get numbers from here. */
  next: number
  /** Tracks how long the oldest unsealed row has waited. */
  readonly aging: IdleTailSealer
}

/** Returns the state of a table of which nothing is stored yet. */
export function persistedTable(backend: string, table: MemoryTable, files: TableFiles): PersistedTable {
  return {
    key: tableKey(backend, table.definition.name),
    backend,
    table,
    files,
    waiting: [],
    rowGroups: new Map(),
    next: 0,
    aging: new IdleTailSealer(),
  }
}
