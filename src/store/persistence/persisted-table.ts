import { tableKey } from '../durable/index.ts'
import type { MemoryTable, Segment } from '../memory/index.ts'
import { IdleTailSealer } from './idle-tail-sealer.ts'
import type { NamedRowGroup, TableFiles } from './table-files.ts'

/** A table, its files, and its stored segments. */
export interface PersistedTable {
  readonly key: string
  readonly backend: string
  readonly table: MemoryTable
  readonly files: TableFiles
  /** Sealed segments that have no file yet, oldest first. */
  waiting: Segment[]
  /** The row groups of the manifest, by the segment that reads them. */
  readonly rowGroups: Map<Segment, NamedRowGroup>
  /**
   * The next sequence number that is in no segment. Replayed batches without numbers in the manifest continue from it.
   */
  next: number
  /** Closes the tail whose oldest row has waited too long. */
  readonly aging: IdleTailSealer
}

/** Returns the state of a table that has nothing stored yet. */
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
