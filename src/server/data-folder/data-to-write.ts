import { present } from '../../base/index.ts'
import { diskFiles } from '../../store/durable/index.ts'
import { openDataFolder } from './data-folder.ts'
import { backendsIn } from './data-to-read.ts'
import type { IngestReport, IngestTarget } from '../ingest/decoder.ts'
import { createIngestService, ONLY_BACKEND, type IngestRequest } from '../ingest/ingest-service.ts'
import { FileReaders } from '../../store/persistence/index.ts'
import { tablePersister, readBackInto } from './table-persister.ts'
import { newTarget } from '../backends/tenant.ts'

export interface DataToWriteOptions {
  readonly nowNs: () => bigint
  /** Backend to write to. Default: the only one. */
  readonly backend?: string | undefined
  /** Called when writing files fails. The rows that were to be written stay in the log. */
  readonly onFailure: (error: unknown) => void
  /** Size of the log at which rows are flushed to segments, bytes. Default: 32 MiB. */
  readonly logBytes?: number | undefined
}

/** A data folder that this process writes, as a server would. */
export interface DataToWrite {
  /**
   * Stores data. Resolves when it is durable and flushing has kept up. Rejects with SluiceError as `IngestService`
   * does.
   */
  ingest(request: Omit<IngestRequest, 'backend'>): Promise<IngestReport>
  /** Flushes rows if the next start would have to replay many, and closes the folder. */
  readonly close: () => Promise<void>
}

/** Size of the block cache, bytes. Ingest reads files only to merge them. */
const CACHE_BYTES = 64 * 1024 ** 2
/** No limits: unlike a server's senders, the caller owns the data. */
const limits = { ingestBodyBytes: Number.MAX_SAFE_INTEGER, ingestBytes: Number.MAX_SAFE_INTEGER }

/**
 * Opens a data folder for writing, creates it if missing, and replays its log. Retention is off. Rejects with
 * SluiceError `setup/…`, `durable/…`.
 */
export async function openDataToWrite(folder: string, options: DataToWriteOptions): Promise<DataToWrite> {
  const { nowNs, backend = ONLY_BACKEND, onFailure, logBytes } = options
  const opened = await openDataFolder(folder, nowNs)
  try {
    const backends = new Set([...backendsIn(diskFiles, folder), backend])
    const targets = new Map(Array.from(backends, (id): [string, IngestTarget] => [id, newTarget()]))
    const persister = tablePersister({
      ...opened,
      targets,
      readers: new FileReaders(),
      cacheBytes: CACHE_BYTES,
      retention: undefined,
      logBytes,
      keepsSegments: true,
      nowNs,
      onChange: () => undefined,
      onFailure,
    })
    const close = async (): Promise<void> => {
      await persister.close()
      await opened.close()
    }
    try {
      await readBackInto({ targets, batches: opened.batches, persister })
    } catch (error) {
      await persister.close()
      throw error
    }
    const targetOf = (id: string | undefined): IngestTarget => present(targets.get(id ?? backend))
    const service = createIngestService({ targetOf, log: opened.batches, limits, watch: persister, nowNs })
    return {
      ingest: async (request) => {
        await persister.capacity()
        return service.ingest({ ...request, backend })
      },
      close,
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}
