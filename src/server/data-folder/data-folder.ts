import { SluiceError, nowhere } from '../../base/index.ts'
import { openDocumentStore, type DocumentStore, type DocumentStoreOptions } from '../../resources/index.ts'
import {
  BatchLogs,
  DiskReserve,
  Manifest,
  batchParts,
  diskFiles,
  inFiles,
  lockFolder,
  lockIdentity,
  makeFolder,
  noteLogEnds,
  openLog,
  openLogs,
  type BatchPart,
  type Files,
  type LogEnds,
  type RecordLog,
} from '../../store/durable/index.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'

/** What is kept of data: batches as they came, and which segments there are. */
export interface KeptData {
  readonly files: Files
  readonly folder: string
  readonly batches: BatchLogs
  readonly manifest: Manifest
  readonly reserve: DiskReserve
}

/** What survives the process: data, and monitors, silences and policies. */
export interface DataFolder extends KeptData {
  readonly documents: DocumentStore
  /** What was put right at the opening, without any loss. */
  readonly notices: readonly string[]
  /** The identity of its lock. */
  readonly lock: string | undefined
  /** Waits for writes under way; afterwards another process may open the folder. */
  readonly close: () => Promise<void>
}

export interface DataFolderOptions extends Omit<DocumentStoreOptions, 'nowNs'> {
  /** The file system of this machine unless given. */
  readonly files?: Files
  /** As `Keeping` has it. */
  readonly diskReserveBytes?: number | undefined
}

/**
 * Opens a data folder, which is made when it is not there. Throws a SluiceError when it cannot be, when another process has
 * it, or when a file is damaged or missing: `setup/…`, `sqlite/…`, `durable/…`.
 */
export async function openDataFolder(
  folder: string,
  nowNs: () => bigint,
  { files = diskFiles, diskReserveBytes, ...documentOptions }: DataFolderOptions = {},
): Promise<DataFolder> {
  const cannotOpen = (error: unknown): unknown => {
    if (error instanceof SluiceError) return error
    const reason = error instanceof Error ? error.message : String(error)
    return new SluiceError([setupDiagnostic('no-data-folder', { folder, reason }, nowhere)])
  }
  try {
    makeFolder(files, folder)
  } catch (error) {
    throw cannotOpen(error)
  }
  const unlock = await lockFolder(folder)
  try {
    const lock = lockIdentity(files, folder)
    const { logs, notices } = openLogs(files, folder, lock)
    try {
      const data = keptData(files, folder, logs, diskReserveBytes)
      const { batches, manifest } = data
      const documents = openDocumentStore(logs.resources, { nowNs, reserve: data.reserve, ...documentOptions })
      return {
        ...data,
        documents,
        notices,
        lock,
        close: async () => {
          await Promise.all([batches.close(), manifest.close(), documents.close()])
          unlock()
        },
      }
    } catch (error) {
      for (const log of Object.values(logs)) log.close()
      throw error
    }
  } catch (error) {
    unlock()
    throw cannotOpen(error)
  }
}

function keptData(
  files: Files,
  folder: string,
  logs: Readonly<Record<BatchPart | 'manifest', RecordLog>>,
  reserveBytes: number | undefined,
): KeptData {
  const manifest = new Manifest(logs.manifest, { logs })
  const reserve = new DiskReserve(files, folder, reserveBytes)
  return { files, folder, manifest, reserve, batches: new BatchLogs(logs, inFiles(manifest.state), reserve) }
}

/**
 * The data of a folder that this process has locked and opened before, for another thread of it; what was committed behind
 * `keepTo` is taken back. `lock` is the identity of the lock.
 */
export function openKeptData(
  folder: string,
  { keepTo, lock }: { readonly keepTo: LogEnds | undefined; readonly lock: string | undefined },
  diskReserveBytes: number | undefined,
  files: Files = diskFiles,
): KeptData & { readonly notices: readonly string[]; readonly ends: LogEnds } {
  const opened = [...batchParts, 'manifest' as const].map((part) => [part, openLog(files, folder, part, lock)] as const)
  const logs = Object.fromEntries(opened) as Record<BatchPart | 'manifest', RecordLog>
  if (keepTo !== undefined && batchParts.some((part) => logs[part].lastId > keepTo[part])) {
    noteLogEnds(logs.manifest, keepTo)
    for (const part of batchParts) logs[part].cutTo(keepTo[part])
  }
  return {
    ...keptData(files, folder, logs, diskReserveBytes),
    notices: opened.flatMap(([, { notices }]) => notices),
    ends: { batches: logs.batches.lastId, samples: logs.samples.lastId },
  }
}
