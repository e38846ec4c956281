import { join } from 'node:path'
import { InvariantError, SluiceError, nowhere } from '../../base/index.ts'
import {
  MARKER_FILE,
  batchLogNames,
  diskFiles,
  durableDiagnostic,
  folderIdOf,
  manifestOf,
  readBatches,
  readLog,
  retryIfReplaced,
  type BatchLogName,
  type Files,
  type Logged,
  type ManifestState,
  type TableEntry,
} from '../../store/durable/index.ts'
import {
  FileReaders,
  TablePersister,
  SAMPLES_TABLE,
  fileNamesOf,
  holdFiles,
  type HeldFiles,
  type TablePersisterOptions,
} from '../../store/persistence/index.ts'
import type { IngestTarget } from '../ingest/decoder.ts'
import { ONLY_BACKEND, type BatchWatch } from '../ingest/ingest-service.ts'
import { metricsOf } from './table-persister.ts'
import { replayBatches } from '../ingest/replay.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'
import { newTarget } from '../backends/tenant.ts'

export interface DataToReadOptions {
  /** Backend to read. Default: the only one with data. */
  readonly backend?: string | undefined
  /** False to skip samples of metrics, which would be loaded into memory completely. */
  readonly hasSamples: boolean
  /** Size of the block cache, bytes. */
  readonly cacheBytes: number
  readonly files?: Files
}

/** Content of a data folder at the time of opening. Files removed later can still be read. */
export interface DataToRead {
  readonly target: IngestTarget
  readonly close: () => Promise<void>
}

/** A consistent state of the manifest and the logs, read together. */
interface Version {
  readonly state: ManifestState
  /** Yields the logged batches. Can be read only once. */
  readonly batches: () => Iterable<Logged>
}

/**
 * Reads the acknowledged batches that are not in segments. The manifest is read before the log: every batch that the
 * manifest covers was in the log before, so no batch is missed.
 */
function versionOf(files: Files, folder: string, logNames: readonly BatchLogName[]): Version {
  const folderId = folderIdOf(files, folder)
  const state = manifestOf(readLog(files, folder, 'manifest', folderId))
  const logs = logNames.map((logName) => {
    return readBatches(files, folder, logName, folderId, state)
  })
  return {
    state,
    *batches() {
      for (const log of logs) yield* log
    },
  }
}

/**
 * Reads tables and samples of one backend, and the list of backends. Throws SluiceError `durable/…` for damaged files.
 */
async function readBackend(
  { state, batches }: Version,
  files: Files,
  folder: string,
  backend: string,
  { hasSamples, cacheBytes }: Pick<DataToReadOptions, 'hasSamples' | 'cacheBytes'>,
): Promise<DataToRead & { readonly backends: ReadonlySet<string> }> {
  const target = newTarget()
  const backends = new Set<string>()
  for (const table of state.tables.values()) backends.add(table.backend)
  const noLog = { startId: 0, lastId: 0, bytes: 0, replayBytes: 0 }
  const isRead = (each: TableEntry): boolean => each.backend === backend && (hasSamples || each.table !== SAMPLES_TABLE)
  const own = { tables: new Map([...state.tables].filter(([, table]) => isRead(table))) }
  const { pool } = held(files, folder, own)
  const never = (): never => {
    throw new InvariantError('a folder that is read is not written to')
  }
  const options: TablePersisterOptions = {
    files,
    folder,
    manifest: {
      state: { ...state, ...own },
      commit: never,
    },
    log: { extent: noLog, extentOf: () => noLog, leave: never },
    tables: Array.from(target.store.memoryTables.values(), (table) => ({ backend, table })),
    metrics: hasSamples ? metricsOf(new Map([[backend, target]])) : [],
    cacheBytes,
    pool,
    readers: new FileReaders(),
    keepsSegments: false,
    nowNs: never,
  }
  const ownBatches = function* (): Generator<Logged> {
    for (const logged of batches()) {
      backends.add(logged.batch.backend)
      if (logged.batch.backend === backend) yield logged
    }
  }
  let persister: TablePersister | undefined
  try {
    persister = new TablePersister(options)
    // Word indexes are not built, because rows are read only once. For this reason full tails are not sealed.
    await replayBatches({ replay: ownBatches }, () => target, { ...watching(persister), keepsSegments: true })
    persister.readBack()
    const opened = persister
    return { target, backends, close: () => opened.close() }
  } catch (error) {
    await persister?.close()
    pool.closeAll()
    throw error
  }
}

/**
 * Opens the part files of some tables. Throws SluiceError `durable/missing` if one was removed after the manifest was
 * read.
 */
function held(files: Files, folder: string, state: Pick<ManifestState, 'tables'>): HeldFiles {
  const opened = holdFiles(files, folder, state)
  const { pool, missing } = opened
  if (missing.length === 0) return opened
  const now = manifestOf(readLog(files, folder, 'manifest', folderIdOf(files, folder)))
  const names = new Set([...now.tables.values()].flatMap(fileNamesOf))
  const part = missing.find((name) => !names.has(name))
  // If the manifest still lists the file, the file is lost, and queries that need it fail.
  if (part === undefined) return opened
  pool.closeAll()
  throw new SluiceError([durableDiagnostic('missing', { part }, nowhere)])
}

function watching(persister: TablePersister): BatchWatch {
  return {
    begin: (...row) => persister.begin(...row),
    end: (...row) => persister.end(...row),
    acknowledge: (mark) => persister.acknowledge(mark),
  }
}

/**
 * Opens the current content of a data folder for reading, even while a server writes to it. Takes no lock and writes
 * nothing. The rows are those of every batch that was acknowledged before the call, and possibly of later batches; each
 * batch is complete. Rejects with SluiceError `durable/…` if required data is damaged or missing, `setup/no-data-…` if
 * there is none.
 */
export async function openDataToRead(folder: string, options: DataToReadOptions): Promise<DataToRead> {
  const { files = diskFiles, hasSamples } = options
  if (!files.exists(join(folder, MARKER_FILE))) {
    const reason = `it has no \`${MARKER_FILE}\`, so nothing was ever kept there`
    throw new SluiceError([setupDiagnostic('no-data-folder', { folder, reason }, nowhere)])
  }
  const logNames: readonly BatchLogName[] = hasSamples ? ['batches', 'samples'] : ['batches']
  const read = (backend: string): Promise<DataToRead & { readonly backends: ReadonlySet<string> }> =>
    retryIfReplaced(() => readBackend(versionOf(files, folder, logNames), files, folder, backend, options))
  const wanted = options.backend ?? ONLY_BACKEND
  const found = await read(wanted)
  const { backends } = found
  if (backends.has(wanted) || (options.backend === undefined && backends.size === 0)) return found
  await found.close()
  const [only] = backends
  if (options.backend === undefined && backends.size === 1 && only !== undefined) return read(only)
  throw new SluiceError([setupDiagnostic('no-such-backend', { backend: wanted, known: [...backends] }, nowhere)])
}

/**
 * Returns the backends with data in a folder. The caller must hold the lock or know that no process is writing. Throws
 * SluiceError `durable/…`.
 */
export function backendsIn(files: Files, folder: string): ReadonlySet<string> {
  const { state, batches } = versionOf(files, folder, batchLogNames)
  const backends = new Set(Array.from(state.tables.values(), ({ backend }) => backend))
  for (const { batch } of batches()) backends.add(batch.backend)
  return backends
}
