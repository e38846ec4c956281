import type { SharedBlocks } from '../../store/segments/index.ts'
import { diskFiles } from '../../store/durable/index.ts'
import {
  TablePersister,
  storedReader,
  type MergeSizes,
  type PersistedMetrics,
  type Retention,
  type FileReaders,
  type SegmentPacker,
  type StoredReader,
} from '../../store/persistence/index.ts'
import type { KeptData } from './data-folder.ts'
import type { IngestTarget } from '../ingest/decoder.ts'
import { MemoryRetention } from '../ingest/memory-retention.ts'
import { replayBatches } from '../ingest/replay.ts'
import { StoreMemory, type Dropped } from '../ingest/store-memory.ts'
import { loadData, type NamedLoader } from './load-data.ts'

/** Settings for storing segments in a data folder. */
export interface Keeping {
  /** Size of this thread's block cache, bytes. */
  readonly cacheBytes: number
  readonly retention: Retention | undefined
  /** Disk space that ingest leaves free, bytes. Default: 1/20 of the disk, at most 512 MiB. */
  readonly diskReserveBytes: number | undefined
  /** Memory limit of tables, dictionaries and samples, bytes. Default: none. */
  readonly storeBytes: number | undefined
  /** Size of the batch log at which rows are flushed to segments, bytes. Default: 32 MiB. */
  readonly logBytes: number | undefined
}

interface TablePersisterOptions
  extends Omit<KeptData, 'reserve'>, Pick<Keeping, 'cacheBytes' | 'retention' | 'logBytes'> {
  readonly targets: ReadonlyMap<string, IngestTarget>
  /** False if another thread may add rows to the tables. */
  readonly keepsSegments: boolean
  readonly nowNs: () => bigint
  readonly onChange: () => void
  readonly onFailure: (error: unknown) => void
  readonly mergeSizes?: MergeSizes | undefined
  readonly packer?: SegmentPacker | undefined
  readonly readers: FileReaders
}

/** Returns a persister for the tables of a data folder. Throws SluiceError `durable/…`. */
export function tablePersister({ targets, batches, ...options }: TablePersisterOptions): TablePersister {
  const tables = [...targets].flatMap(([backend, { store }]) =>
    Array.from(store.memoryTables.values(), (table) => ({ backend, table })),
  )
  return new TablePersister({ ...options, log: batches, tables, metrics: metricsOf(targets) })
}

/** Backends of this thread, and their stored data. */
export interface HeldData {
  readonly targets: ReadonlyMap<string, IngestTarget>
  /** Stored batches; `undefined` without a data folder. */
  readonly batches: KeptData['batches'] | undefined
  readonly persister: TablePersister | undefined
}

/** Numbers of replayed batches and rows. */
export interface ReadBack {
  readonly batches: number
  readonly rows: number
}

/**
 * Replays the part of the log that is not in segments; afterwards new rows are stored. Rejects as `replayBatches` does.
 */
export async function readBackInto({ targets, batches, persister }: HeldData): Promise<ReadBack> {
  if (batches === undefined) return { batches: 0, rows: 0 }
  const { batches: count, rows } = await replayBatches(batches, (id) => targets.get(id), persister)
  persister?.readBack()
  return { batches: count, rows }
}

/** Loads rows that are never stored; each start-up loads them again. */
export async function loadInto(
  { targets, persister }: Pick<HeldData, 'targets' | 'persister'>,
  loader: NamedLoader | undefined,
  tell: (message: unknown) => void,
): Promise<void> {
  if (loader === undefined) return
  const resume = persister?.pause()
  await loadData(loader, targets, tell)
  resume?.()
}

export function metricsOf(targets: ReadonlyMap<string, IngestTarget>): readonly PersistedMetrics[] {
  return Array.from(targets, ([backend, { samples, metricCatalog }]) => ({ backend, samples, metricCatalog }))
}

/** Creates the memory limit for this thread's backends; `undefined` if there is none. */
export function storeMemory(
  { storeBytes }: Pick<Keeping, 'storeBytes'>,
  targets: ReadonlyMap<string, IngestTarget>,
  persister: TablePersister | undefined,
  onDropped: (dropped: Dropped) => void,
): StoreMemory | undefined {
  if (storeBytes === undefined) return undefined
  return new StoreMemory({
    targets,
    limitBytes: storeBytes,
    flushForMemory: persister && (() => persister.flushForMemory()),
    onDropped,
  })
}

/** Creates the retention for this thread's backends; `undefined` if there is none, or if rows are in files. */
export function memoryRetention(
  { retention }: Pick<Keeping, 'retention'>,
  targets: ReadonlyMap<string, IngestTarget>,
  persister: TablePersister | undefined,
  nowNs: () => bigint,
): MemoryRetention | undefined {
  if (retention === undefined || persister !== undefined) return undefined
  return new MemoryRetention(targets, { ageNs: retention.ageNs, nowNs })
}

/**
 * Creates a file reader for a thread that receives file names from another thread. `cacheBytes` is the size of its
 * cache. `onDamage` is called for damage that does not affect answers.
 */
export function fileReader(
  cacheBytes: number,
  onDamage?: Parameters<typeof storedReader>[2],
  shared?: SharedBlocks,
): StoredReader {
  return storedReader(diskFiles, cacheBytes, onDamage, shared)
}
