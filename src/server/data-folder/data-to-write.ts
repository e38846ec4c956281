import { present } from '../../base/index.ts'
import { diskFiles } from '../../store/durable/index.ts'
import { openDataFolder } from './data-folder.ts'
import { backendsIn } from './data-to-read.ts'
import type { IngestReport, IngestTarget } from '../ingest/decoder.ts'
import { createIngestService, ONLY_BACKEND, type IngestRequest } from '../ingest/ingest-service.ts'
import { FileReaders } from '../../store/kept/index.ts'
import { keptTables, readBackInto } from './kept-tables.ts'
import { newTarget } from '../backends/tenant.ts'

export interface DataToWriteOptions {
  readonly nowNs: () => bigint
  /** The backend that data is taken in for; the only one unless given. */
  readonly backend?: string | undefined
  /** Told of files that could not be written: their rows stay in the log. */
  readonly onFailure: (error: unknown) => void
  /** Bytes of a log from which it is kept short; 32 MiB unless given. */
  readonly logBytes?: number | undefined
}

/** A data folder that this process writes to, as its server would. */
export interface DataToWrite {
  /** Resolves when it is safe, and segments have not fallen behind. Rejects with SluiceError as `IngestService` does. */
  ingest(request: Omit<IngestRequest, 'backend'>): Promise<IngestReport>
  /** Writes what the next start would have to read back, where it is much. */
  readonly close: () => Promise<void>
}

/** Nothing of files is read while data is taken in, but for what a merge needs. */
const CACHE_BYTES = 64 * 1024 ** 2
/** Whoever writes here has the data: a server bounds what strangers send. */
const limits = { ingestBodyBytes: Number.MAX_SAFE_INTEGER, ingestBytes: Number.MAX_SAFE_INTEGER }

/**
 * Opens a data folder to take data in, which is made when it is not there; what its log has is read back. Nothing leaves by age. Rejects
 * with SluiceError `setup/…`, `durable/…`.
 */
export async function openDataToWrite(folder: string, options: DataToWriteOptions): Promise<DataToWrite> {
  const { nowNs, backend = ONLY_BACKEND, onFailure, logBytes } = options
  const opened = await openDataFolder(folder, nowNs)
  try {
    const backends = new Set([...backendsIn(diskFiles, folder), backend])
    const targets = new Map(Array.from(backends, (id): [string, IngestTarget] => [id, newTarget()]))
    const kept = keptTables({
      ...opened,
      targets,
      readers: new FileReaders(),
      cacheBytes: CACHE_BYTES,
      retention: undefined,
      logBytes,
      keeps: true,
      nowNs,
      onChange: () => undefined,
      onFailure,
    })
    const close = async (): Promise<void> => {
      await kept.close()
      await opened.close()
    }
    try {
      await readBackInto({ targets, batches: opened.batches, kept })
    } catch (error) {
      await kept.close()
      throw error
    }
    const targetOf = (id: string | undefined): IngestTarget => present(targets.get(id ?? backend))
    const service = createIngestService({ targetOf, log: opened.batches, limits, watch: kept, nowNs })
    return {
      ingest: async (request) => {
        await kept.room()
        return service.ingest({ ...request, backend })
      },
      close,
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}
