import { diskFiles } from '../store/durable/index.ts'
import type { OpenStored } from '../store/index.ts'
import { KeptTables, storedReader, type Retention } from '../store/kept/index.ts'
import type { KeptData } from './data-folder.ts'
import type { IngestTarget } from './ingest/decoder.ts'

/** How segments are kept in a data folder. */
export interface Keeping {
  /** What of segments may be held in memory by those who read them in this thread, bytes. */
  readonly cacheBytes: number
  readonly retention: Retention | undefined
  /** Bytes of the log of batches from which it is kept short; 32 MiB unless given. */
  readonly logBytes: number | undefined
}

interface KeptTablesOptions extends KeptData, Keeping {
  readonly targets: ReadonlyMap<string, IngestTarget>
  /** False where others may put rows into the tables. */
  readonly keeps: boolean
  readonly nowNs: () => bigint
  readonly onChange: () => void
  readonly onFailure: (error: unknown) => void
}

/** The tables of a data folder, with their segments. Throws SluiceError `durable/…`. */
export function keptTables({ targets, batches, ...options }: KeptTablesOptions): KeptTables {
  const tables = [...targets].flatMap(([backend, { store }]) =>
    Array.from(store.tables.values(), (table) => ({ backend, table })),
  )
  return new KeptTables({ ...options, log: batches, tables })
}

/** For a thread that is told of segments in files: its cache holds so many bytes. */
export function segmentReader(cacheBytes: number): OpenStored {
  return storedReader(diskFiles, cacheBytes)
}
