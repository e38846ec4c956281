import type { SharedBlocks } from '../../store/segments/index.ts'
import { diskFiles } from '../../store/durable/index.ts'
import {
  KeptTables,
  storedReader,
  type MergeSizes,
  type KeptMetrics,
  type Retention,
  type FileReaders,
  type SegmentPacker,
  type StoredReader,
} from '../../store/kept/index.ts'
import type { KeptData } from './data-folder.ts'
import type { IngestTarget } from '../ingest/decoder.ts'
import { MemoryRetention } from '../ingest/memory-retention.ts'
import { replayBatches } from '../ingest/replay.ts'
import { StoreMemory, type Dropped } from '../ingest/store-memory.ts'
import { loadData, type NamedLoader } from './load-data.ts'

/** How segments are kept in a data folder. */
export interface Keeping {
  /** What of segments may be held in memory by those who read them in this thread, bytes. */
  readonly cacheBytes: number
  readonly retention: Retention | undefined
  /** What of the disk no batch takes, bytes; a twentieth, 512 MiB at most, unless given. */
  readonly diskReserveBytes: number | undefined
  /** What tables, dictionaries and samples may take of memory, bytes; no bound unless given. */
  readonly storeBytes: number | undefined
  /** Bytes of the log of batches from which it is kept short; 32 MiB unless given. */
  readonly logBytes: number | undefined
}

interface KeptTablesOptions extends Omit<KeptData, 'reserve'>, Pick<Keeping, 'cacheBytes' | 'retention' | 'logBytes'> {
  readonly targets: ReadonlyMap<string, IngestTarget>
  /** False where others may put rows into the tables. */
  readonly keeps: boolean
  readonly nowNs: () => bigint
  readonly onChange: () => void
  readonly onFailure: (error: unknown) => void
  readonly mergeSizes?: MergeSizes | undefined
  readonly packer?: SegmentPacker | undefined
  readonly readers: FileReaders
}

/** The tables of a data folder, with their segments. Throws SluiceError `durable/…`. */
export function keptTables({ targets, batches, ...options }: KeptTablesOptions): KeptTables {
  const tables = [...targets].flatMap(([backend, { store }]) =>
    Array.from(store.memoryTables.values(), (table) => ({ backend, table })),
  )
  return new KeptTables({ ...options, log: batches, tables, metrics: metricsOf(targets) })
}

/** Backends of this thread, with what a data folder has of them. */
export interface HeldData {
  readonly targets: ReadonlyMap<string, IngestTarget>
  /** `undefined` where nothing outlives the process. */
  readonly batches: KeptData['batches'] | undefined
  readonly kept: KeptTables | undefined
}

/** What came back of a log. */
export interface ReadBack {
  readonly batches: number
  readonly rows: number
}

/** Puts back what the log has that segments have not; from then on rows that come are kept. Rejects as `replayBatches` does. */
export async function readBackInto({ targets, batches, kept }: HeldData): Promise<ReadBack> {
  if (batches === undefined) return { batches: 0, rows: 0 }
  const { batches: count, rows } = await replayBatches(batches, (id) => targets.get(id), kept)
  kept?.readBack()
  return { batches: count, rows }
}

/** Loads rows beside those that are kept: they come again with the next start. */
export async function loadInto(
  { targets, kept }: Pick<HeldData, 'targets' | 'kept'>,
  loader: NamedLoader | undefined,
  tell: (message: unknown) => void,
): Promise<void> {
  if (loader === undefined) return
  const keepAgain = kept?.pause()
  await loadData(loader, targets, tell)
  keepAgain?.()
}

export function metricsOf(targets: ReadonlyMap<string, IngestTarget>): readonly KeptMetrics[] {
  return Array.from(targets, ([backend, { samples, metricCatalog }]) => ({ backend, samples, metricCatalog }))
}

/** Keeps what the backends of this thread hold within their bound; `undefined` where they have none. */
export function storeMemory(
  { storeBytes }: Pick<Keeping, 'storeBytes'>,
  targets: ReadonlyMap<string, IngestTarget>,
  kept: KeptTables | undefined,
  onDropped: (dropped: Dropped) => void,
): StoreMemory | undefined {
  if (storeBytes === undefined) return undefined
  return new StoreMemory({ targets, limitBytes: storeBytes, relieve: kept && (() => kept.relieve()), onDropped })
}

/** Lets go of what is too old in backends of this thread that have no files; `undefined` where everything is kept. */
export function memoryRetention(
  { retention }: Pick<Keeping, 'retention'>,
  targets: ReadonlyMap<string, IngestTarget>,
  kept: KeptTables | undefined,
  nowNs: () => bigint,
): MemoryRetention | undefined {
  if (retention === undefined || kept !== undefined) return undefined
  return new MemoryRetention(targets, { ageNs: retention.ageNs, nowNs })
}

/** For a thread that is told of files: its cache holds so many bytes. `onDamage` is told of damage that costs no answer. */
export function fileReader(
  cacheBytes: number,
  onDamage?: Parameters<typeof storedReader>[2],
  shared?: SharedBlocks,
): StoredReader {
  return storedReader(diskFiles, cacheBytes, onDamage, shared)
}
