import { basename, dirname, join } from 'node:path'
import {
  CHUNK_BYTES,
  SluiceError,
  errorCode,
  runCooperatively,
  nowhere,
  present,
  untilAborted,
  type StepwiseTask,
} from '../../base/index.ts'
import {
  MARKER_FILE,
  checkLog,
  copyLog,
  durableDiagnostic,
  folderIdOf,
  isBatchLogName,
  liveRowGroups,
  makeFolder,
  manifestOf,
  logNames,
  printMarker,
  readLog,
  replaceFile,
  retryIfReplaced,
  type Files,
} from '../durable/index.ts'
import { backendFolder } from './folders.ts'

export interface Snapshot {
  readonly segments: number
  readonly batches: number
}

/**
 * Copies the first `bytes` bytes of a file and syncs the copy. Throws an error with code `ENOENT` if the file does not
 * exist.
 */
function* copyFile(files: Files, from: string, to: string, bytes: number): StepwiseTask<void> {
  const source = files.openToRead(from)
  try {
    const copy = files.create(to)
    try {
      const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, bytes))
      for (let at = 0; at < bytes;) {
        const read = source.read(buffer.subarray(0, Math.min(buffer.length, bytes - at)), at)
        if (read === 0) {
          const part = present(from.split('/').at(-1))
          throw new SluiceError([durableDiagnostic('damaged', { part, what: 'it is shorter than it was' }, nowhere)])
        }
        copy.write(buffer.subarray(0, read), at)
        at += read
        yield
      }
      copy.sync()
    } finally {
      copy.close()
    }
  } finally {
    source.close()
  }
}

/**
 * Codes of errors after which a file is copied instead of linked: another disk, no support for hard links, too many
 * links, or a file of another user.
 */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** True if a hard link failed for a reason that does not prevent a copy. */
export function isWithoutLinks(error: unknown): boolean {
  return NO_LINK.has(errorCode(error) ?? '')
}

/** Converts an error for a missing file that the manifest names to a SluiceError; returns any other error unchanged. */
function lostFile(error: unknown, path: string): unknown {
  if (errorCode(error) !== 'ENOENT') return error
  return new SluiceError([durableDiagnostic('missing', { part: basename(path) }, nowhere)])
}

/** Creates a hard link to an immutable file, or a copy if a link is impossible. */
export function* linkFile(files: Files, from: string, to: string, bytes: number): StepwiseTask<void> {
  if (files.exists(to)) files.remove(to)
  try {
    files.link(from, to)
  } catch (error) {
    if (!isWithoutLinks(error)) throw lostFile(error, from)
    yield* copyFile(files, from, to, bytes)
  }
}

/**
 * Copies a data folder to another folder, even while a server writes to it. The snapshot has every batch acknowledged
 * before the call, and perhaps later batches, all of them complete. Segments become hard links, all other files copies.
 * The marker is written last, so an incomplete snapshot cannot be opened. Rejects with SluiceError `durable/…`, also if
 * `to` is not empty, and with the reason of `signal`.
 */
export async function takeSnapshot(files: Files, folder: string, to: string, signal?: AbortSignal): Promise<Snapshot> {
  if (files.list(to).length > 0) throw new SluiceError([durableDiagnostic('not-empty', {}, nowhere)])
  makeFolder(files, to)
  return retryIfReplaced(() => runCooperatively(untilAborted(copyFolder(files, folder, to), signal)))
}

function* copyFolder(files: Files, folder: string, to: string): StepwiseTask<Snapshot> {
  const folderId = folderIdOf(files, folder)
  // The manifest must be copied before the logs: the batches of everything it names were logged earlier.
  copyLog(files, folder, to, 'manifest', folderId)
  const state = manifestOf(readLog(files, to, 'manifest', folderId))
  let segments = 0
  const made = new Set<string>()
  for (const table of state.tables.values()) {
    const from = backendFolder(folder, table.backend)
    const into = backendFolder(to, table.backend)
    makeFolder(files, into)
    made.add(into)
    for (const part of table.parts) {
      yield* linkFile(files, join(from, part.name), join(into, part.name), part.bytes)
      segments += liveRowGroups(part).length
      yield
    }
    const { dictionaries } = table
    // The server appends to the dictionary file, so it cannot be a hard link.
    if (dictionaries !== undefined)
      yield* copyFile(files, join(from, dictionaries.name), join(into, dictionaries.name), dictionaries.bytes)
  }
  for (const path of made) files.syncFolder(path)
  let batches = 0
  for (const part of logNames) {
    if (part === 'manifest') continue
    const { startId, end } = copyLog(files, folder, to, part, folderId)
    if (isBatchLogName(part)) checkLog(state, part, { startId, lastId: end.lastId })
    if (part !== 'resources') batches += end.lastId - startId
  }
  files.syncFolder(to)
  replaceFile(files, join(to, MARKER_FILE), printMarker(folderId))
  files.syncFolder(dirname(to))
  return { segments, batches }
}
