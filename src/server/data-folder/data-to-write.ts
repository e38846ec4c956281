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
  /** Called with errors of writing files: their rows stay in the log. */
  readonly onFailure: (error: unknown) => void
  /** Size of the log at which rows are written to segments, bytes. Default: 32 MiB. */
  readonly logBytes?: number | undefined
}

/** A data folder that this process writes to, as a server would. */
export interface DataToWrite {
  /**
   * Resolves when the data is durable and segments have not fallen behind. Rejects with SluiceError as `IngestService`
   * does.
   */
  ingest(request: Omit<IngestRequest, 'backend'>): Promise<IngestReport>
  /** Writes rows that the next start would have to replay, if there are many. */
  readonly close: () => Promise<void>
}

/** Size of the block cache, bytes: ingest reads files only for merges. */
const CACHE_BYTES = 64 * 1024 ** 2
/** No limits, since the caller owns the data; a server limits its senders. */
const limits = { ingestBodyBytes: Number.MAX_SAFE_INTEGER, ingestBytes: Number.MAX_SAFE_INTEGER }

/**
 * Opens a data folder for writing, created if missing, and replays its log. Nothing expires. Rejects with SluiceError
 * `setup/…`, `durable/…`.
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
