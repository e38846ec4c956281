import { SluiceError, nowhere } from '../base/index.ts'
import { openDocumentStore, type DocumentStore, type DocumentStoreOptions } from '../resources/index.ts'
import {
  BatchLog,
  type LogEnd,
  diskFiles,
  lockFolder,
  makeFolder,
  openLog,
  openLogs,
  type DurableStore,
  type Files,
} from '../store/durable/index.ts'
import { setupDiagnostic } from './setup-diagnostics.ts'

/** What survives the process: batches as they came, and monitors, silences and policies. */
export interface DataFolder {
  readonly batches: DurableStore
  readonly documents: DocumentStore
  /** What was put right at the opening, without any loss. */
  readonly notices: readonly string[]
  /** Waits for writes under way; afterwards another process may open the folder. */
  readonly close: () => Promise<void>
}

export interface DataFolderOptions extends Omit<DocumentStoreOptions, 'nowNs'> {
  /** The file system of this machine unless given. */
  readonly files?: Files
}

/**
 * Opens a data folder, which is made when it is not there. Throws a SluiceError when it cannot be, when another process has
 * it, or when a file is damaged or missing: `setup/…`, `sqlite/…`, `durable/…`.
 */
export async function openDataFolder(
  folder: string,
  nowNs: () => bigint,
  { files = diskFiles, ...documentOptions }: DataFolderOptions = {},
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
    const { logs, notices } = openLogs(files, folder)
    const batches = new BatchLog(logs.batches)
    try {
      const documents = openDocumentStore(logs.resources, { nowNs, ...documentOptions })
      return {
        batches,
        documents,
        notices,
        close: async () => {
          await Promise.all([batches.close(), documents.close()])
          unlock()
        },
      }
    } catch (error) {
      logs.batches.close()
      logs.resources.close()
      throw error
    }
  } catch (error) {
    unlock()
    throw cannotOpen(error)
  }
}

/**
 * The batches of a folder that this process has locked and opened before, for another thread of it; what was committed behind
 * `keepTo` is taken back.
 */
export function openBatchLog(
  folder: string,
  keepTo: LogEnd | undefined,
  files: Files = diskFiles,
): { readonly batches: BatchLog; readonly notices: readonly string[]; readonly end: LogEnd } {
  const log = openLog(files, folder, 'batches')
  if (keepTo !== undefined) log.cutTo(keepTo)
  return { batches: new BatchLog(log), notices: log.notices, end: log.end }
}
