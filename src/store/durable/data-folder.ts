import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { PAGE_BYTES, SluiceError, nowhere } from '../../base/index.ts'
import { crc32 } from '../../system/index.ts'
import { lockFile } from '../sqlite/index.ts'
import { durableDiagnostic, readFailure } from './diagnostics.ts'
import { isNoFile, isReadFailure, makeFolder, readFile, replaceFile, type Files } from './files.ts'
import { FOLDER_ID_BYTES, HEADER_BYTES, LOCK_FILE, MARKER_FILE } from './log-format.ts'
import { RecordLog } from './record-log.ts'
import { headFile, logFile } from './read-log.ts'

/** Names of the logs of a data folder. Each log has a separate head file. */
export const logNames = ['batches', 'samples', 'manifest', 'resources'] as const
export type LogName = (typeof logNames)[number]

export const logFiles: readonly string[] = logNames.flatMap((logName) => [logFile(logName), headFile(logName)])

/** Maximum time to wait for the lock, milliseconds: a process that is shutting down may still hold it. */
const BUSY_MS = 2_000

interface Marker {
  /** The version of the format of all files in the folder. */
  readonly format: number
  readonly id: string
  readonly files: readonly string[]
}

const FOLDER_FORMAT = 1

export function printMarker(folderId: Uint8Array): Buffer {
  const marker: Marker = { format: FOLDER_FORMAT, id: Buffer.from(folderId).toString('hex'), files: logFiles }
  return Buffer.from(`${JSON.stringify({ ...marker, checksum: crc32(JSON.stringify(marker)) }, undefined, 2)}\n`)
}

function damagedMarker(): SluiceError {
  return new SluiceError([
    durableDiagnostic('damaged', { part: MARKER_FILE, what: 'it does not match its checksum' }, nowhere),
  ])
}

/** Parses the marker file and returns the id of the folder. */
function parseMarker(bytes: Buffer): Buffer {
  let read: unknown
  try {
    read = JSON.parse(bytes.toString())
  } catch {
    throw damagedMarker()
  }
  if (typeof read !== 'object' || read === null) throw damagedMarker()
  const { checksum, ...marker } = read as Partial<Marker> & { readonly checksum: unknown }
  if (crc32(JSON.stringify(marker)) !== checksum) throw damagedMarker()
  const { format } = marker
  // Builds before the first release called this member `version`.
  if (format === undefined) throw new SluiceError([durableDiagnostic('earlier-format', { file: MARKER_FILE }, nowhere)])
  if (format > FOLDER_FORMAT)
    throw new SluiceError([durableDiagnostic('newer-version', { found: format, known: FOLDER_FORMAT }, nowhere)])
  // Any other change of the marker file counts as damage, even in white space.
  const id = Buffer.from(marker.id ?? '', 'hex')
  if (!printMarker(id).equals(bytes)) throw damagedMarker()
  return id
}

/**
 * Returns the folder id in the marker; `undefined` without a marker. Throws `durable/damaged`, `durable/newer-version`,
 * `durable/earlier-format`.
 */
export function readMarker(files: Files, folder: string): Buffer | undefined {
  let bytes: Buffer | undefined
  try {
    bytes = readFile(files, join(folder, MARKER_FILE), PAGE_BYTES)
  } catch (error) {
    throw isNoFile(error) || isReadFailure(error) ? readFailure(MARKER_FILE, error) : error
  }
  return bytes === undefined ? undefined : parseMarker(bytes)
}

/** Returns the id of an existing data folder. Throws as `readMarker` does, and `durable/missing` without a marker. */
export function folderIdOf(files: Files, folder: string): Buffer {
  const id = readMarker(files, folder)
  if (id === undefined) throw new SluiceError([durableDiagnostic('missing', { part: MARKER_FILE }, nowhere)])
  return id
}

/** Writes a new marker in place of one that is lost or damaged. */
export function restoreMarker(files: Files, folder: string, folderId: Uint8Array): void {
  replaceFile(files, join(folder, MARKER_FILE), printMarker(folderId))
}

/** True if any log has records, which proves that the folder was in use even if its marker is missing. */
function hasRecords(files: Files, folder: string): boolean {
  return logNames.some(
    (logName) => (readFile(files, join(folder, logFile(logName)), HEADER_BYTES + 1)?.length ?? 0) > HEADER_BYTES,
  )
}

/** Database files of builds that wrote no marker. If one exists, the folder must not be treated as new and empty. */
const EARLIER_FILES = ['batches.db', 'resources.db']

/**
 * Creates the log files, then the marker. A crash before the marker is written leaves a folder without marker and
 * records, which the next start treats as new.
 */
function createFolder(files: Files, folder: string): Buffer {
  const earlier = EARLIER_FILES.find((name) => files.exists(join(folder, name)))
  if (earlier !== undefined) throw new SluiceError([durableDiagnostic('earlier-format', { file: earlier }, nowhere)])
  if (hasRecords(files, folder)) throw new SluiceError([durableDiagnostic('missing', { part: MARKER_FILE }, nowhere)])
  const folderId = randomBytes(FOLDER_ID_BYTES)
  for (const logName of logNames) RecordLog.create(files, folder, logName, folderId)
  files.syncFolder(folder)
  replaceFile(files, join(folder, MARKER_FILE), printMarker(folderId))
  return folderId
}

/** The logs of a data folder, open for appending. */
export interface DataFolderLogs {
  readonly folderId: Uint8Array
  readonly logs: { readonly [P in LogName]: RecordLog }
  /** Messages about problems that were repaired without loss when the folder was opened. */
  readonly notices: readonly string[]
}

/** Returns the identity of the lock file of a folder. The caller must hold the lock. */
export function lockIdentity(files: Files, folder: string): string | undefined {
  return files.identity(join(folder, LOCK_FILE))
}

/**
 * Opens the logs of a folder; creates the folder if it does not exist. The caller must hold the lock file, whose
 * identity is `lock`. Throws SluiceError `durable/…`.
 */
export function openLogs(files: Files, folder: string, lock?: string): DataFolderLogs {
  makeFolder(files, folder)
  const folderId = readMarker(files, folder) ?? createFolder(files, folder)
  const opened: RecordLog[] = []
  try {
    const open = (logName: LogName): RecordLog => {
      const log = RecordLog.open(files, folder, logName, folderId, lock)
      opened.push(log)
      return log
    }
    const logs = Object.fromEntries(logNames.map((logName) => [logName, open(logName)])) as Record<LogName, RecordLog>
    return { folderId, logs, notices: opened.flatMap(({ notices }) => notices) }
  } catch (error) {
    for (const log of opened) log.close()
    throw error
  }
}

/**
 * Opens one log of a folder whose lock this process holds and whose logs it has opened before. Throws SluiceError
 * `durable/…`.
 */
export function openLog(files: Files, folder: string, logName: LogName, lock?: string): RecordLog {
  return RecordLog.open(files, folder, logName, folderIdOf(files, folder), lock)
}

/**
 * Locks a folder against other processes until the returned function is called or the process ends. Throws
 * `durable/in-use`.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const unlock = await lockFile(join(folder, LOCK_FILE), BUSY_MS)
  if (unlock === undefined) throw new SluiceError([durableDiagnostic('in-use', {}, nowhere)])
  return unlock
}

/**
 * Removes the files of a new folder in which nothing was stored. The folder stays if it has records or if another
 * process holds its lock. Only the process that created the folder may call this. Throws the errors of the file system.
 */
export async function discardFolder(files: Files, folder: string): Promise<void> {
  const unlock = await lockFolder(folder)
  try {
    if (hasRecords(files, folder)) return
    // The marker goes first: a folder without marker and records counts as new, even if this removal is interrupted.
    for (const name of [MARKER_FILE, ...logFiles, LOCK_FILE]) {
      const path = join(folder, name)
      if (files.exists(path)) files.remove(path)
    }
  } finally {
    unlock()
  }
}
