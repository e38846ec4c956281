import { SluiceError, nowhere } from '../../base/index.ts'
import { openDocumentStore, type DocumentStore, type DocumentStoreOptions } from '../../resources/index.ts'
import {
  BatchLogs,
  DiskReserve,
  Manifest,
  batchLogNames,
  diskFiles,
  inFiles,
  lockFolder,
  lockIdentity,
  makeFolder,
  noteLogEnds,
  openLog,
  openLogs,
  type BatchLogName,
  type Files,
  type LogEnds,
  type RecordLog,
} from '../../store/durable/index.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'

/** Access to the stored batches and segments of a data folder. */
export interface KeptData {
  readonly files: Files
  readonly folder: string
  readonly batches: BatchLogs
  readonly manifest: Manifest
  readonly reserve: DiskReserve
}

/** Durable state: stored data, and documents (monitors, silences, policies and so on). */
export interface DataFolder extends KeptData {
  readonly documents: DocumentStore
  /** Messages about repairs without loss, made when opening. */
  readonly notices: readonly string[]
  /** Identity of the folder's lock. */
  readonly lock: string | undefined
  /** Waits for writes in flight and releases the folder for other processes. */
  readonly close: () => Promise<void>
}

export interface DataFolderOptions extends Omit<DocumentStoreOptions, 'nowNs'> {
  /** File system of the data folder. Default: files of this machine. */
  readonly files?: Files
  /** Disk space that ingest leaves free, bytes. Default: 1/20 of the disk, at most 512 MiB. */
  readonly diskReserveBytes?: number | undefined
}

/**
 * Opens a data folder and creates it if missing. Throws a SluiceError if it cannot be created, is locked by another
 * process, or has a damaged or missing file: `setup/…`, `sqlite/…`, `durable/…`.
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
  logs: Readonly<Record<BatchLogName | 'manifest', RecordLog>>,
  reserveBytes: number | undefined,
): KeptData {
  const manifest = new Manifest(logs.manifest, { logs })
  const reserve = new DiskReserve(files, folder, reserveBytes)
  return { files, folder, manifest, reserve, batches: new BatchLogs(logs, inFiles(manifest.state), reserve) }
}

/**
 * Opens, in another thread, the data of a folder that this process has locked. Removes batches after `keepTo` from the
 * logs. `lock` is the identity of the lock.
 */
export function openKeptData(
  folder: string,
  { keepTo, lock }: { readonly keepTo: LogEnds | undefined; readonly lock: string | undefined },
  diskReserveBytes: number | undefined,
  files: Files = diskFiles,
): KeptData & { readonly notices: readonly string[]; readonly ends: LogEnds } {
  const opened = [...batchLogNames, 'manifest' as const].map(
    (logName) => [logName, openLog(files, folder, logName, lock)] as const,
  )
  const logs = Object.fromEntries(opened) as Record<BatchLogName | 'manifest', RecordLog>
  if (keepTo !== undefined && batchLogNames.some((logName) => logs[logName].lastId > keepTo[logName])) {
    noteLogEnds(logs.manifest, keepTo)
    for (const logName of batchLogNames) logs[logName].cutTo(keepTo[logName])
  }
  return {
    ...keptData(files, folder, logs, diskReserveBytes),
    notices: opened.flatMap(([, { notices }]) => notices),
    ends: { batches: logs.batches.lastId, samples: logs.samples.lastId },
  }
}
