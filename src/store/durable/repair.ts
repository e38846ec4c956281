import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { CHUNK_BYTES, MIB, SluiceError, errorCode } from '../../base/index.ts'
import { logNames, readMarker, restoreMarker, type LogName } from './data-folder.ts'
import { isOfOtherBuild, isReadFailed, readFailure } from './diagnostics.ts'
import { isNoFile, isReadFailure, makeFolder, type Files, type OpenFile } from './files.ts'
import { FOLDER_ID_BYTES, HEADER_BYTES, MARKER_FILE, RECORD_MAGIC, SLOT_BYTES, folderIdIn } from './log-format.ts'
import { isBatchLogName } from './batch-parts.ts'
import { checkLog, editOf, inFiles, lastKnown, manifestOf, type ManifestState } from './manifest.ts'
import { RecordLog } from './record-log.ts'
import { headFile, headerOf, logFile, readLog, readRecord, committedEnd, type LogRecord } from './read-log.ts'

/** An undamaged record and its position. */
interface Found {
  readonly id: number
  readonly isPlaceholder: boolean
  readonly at: number
}

/** The result of checking one log. */
export interface LogSurvey {
  readonly logName: LogName
  /** A description of the damage; `undefined` if the log is undamaged. */
  readonly damage: string | undefined
  /** The number of records that can be kept. */
  readonly kept: number
  /** Ids of lost records, as ranges whose ends are included. */
  readonly lost: readonly { readonly first: number; readonly last: number }[]
  /** False if the number of records is unknown: more records may be lost at the end. */
  readonly isEndKnown: boolean
  /** Reads the records that can be kept, in order. */
  readonly records: () => Iterable<LogRecord>
  /** Id of the record before the first one of the log. */
  readonly startId: number
}

export interface FolderSurvey {
  readonly folder: string
  /** A description of the marker's damage; `undefined` if the marker is undamaged. */
  readonly markerDamage: string | undefined
  readonly logs: readonly LogSurvey[]
  readonly folderId: Uint8Array
  readonly isWhole: boolean
}

/**
 * True if an earlier repair wrote this record in place of a lost one. Such a record is empty and preserves the ids of
 * later records.
 */
function isPlaceholder({ body }: LogRecord): boolean {
  return body.length === 0
}

/** Returns the next position, at or after `from`, where a record may begin. */
function nextMagic(file: OpenFile, from: number, size: number): number | undefined {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  for (let at = from; at < size; at += CHUNK_BYTES - RECORD_MAGIC.length) {
    const found = chunk.subarray(0, file.read(chunk, at)).indexOf(RECORD_MAGIC)
    if (found !== -1) return at + found
  }
  return undefined
}

/** True if the record is a valid manifest edit. Throws SluiceError when another build wrote it. */
function isSoundEdit(record: LogRecord): boolean {
  try {
    editOf(record)
    return true
  } catch (error) {
    if (isOfOtherBuild(error)) throw error
    messageOf(error)
    return false
  }
}

/** Returns every record whose checksum matches, whatever bytes are between the records. */
function findRecords(file: OpenFile, logName: LogName): readonly Found[] {
  const size = file.size()
  const found: Found[] = []
  let at: number | undefined = Math.min(HEADER_BYTES, size)
  while (at !== undefined) {
    const record = readRecord(file, at, size)
    if (record === undefined) at = nextMagic(file, at + 1, size)
    else {
      const isSound = logName !== 'manifest' || isSoundEdit(record)
      if (isSound && record.id > (found.at(-1)?.id ?? 0))
        found.push({ id: record.id, isPlaceholder: isPlaceholder(record), at })
      at = record.endBytes
    }
  }
  return found
}

function missingBetween(found: readonly Found[], startId: number, lastId: number): LogSurvey['lost'] {
  const lost: { first: number; last: number }[] = []
  let expected = startId + 1
  for (const id of [...found.map((record) => record.id), lastId + 1]) {
    if (id > expected) lost.push({ first: expected, last: id - 1 })
    expected = id + 1
  }
  return lost
}

/**
 * Returns the message of an error that indicates damage; rethrows any other error. A failed read does not indicate
 * damage, because a retry may succeed.
 */
function messageOf(error: unknown): string {
  if (error instanceof SluiceError && !isReadFailed(error)) return error.message
  throw error
}

/** Calls `work` with the open file and returns the result; `undefined` if the file does not exist. */
function withFile<T>(files: Files, path: string, work: (file: OpenFile) => T): T | undefined {
  let file: OpenFile | undefined
  try {
    if (!files.exists(path)) return undefined
    file = files.openToRead(path)
    return work(file)
  } catch (error) {
    if (isNoFile(error)) return undefined
    throw isReadFailure(error) ? readFailure(basename(path), error) : error
  } finally {
    file?.close()
  }
}

/**
 * Preserves a damaged file under another name, by a hard link. Where hard links are impossible, as for a directory, it
 * is renamed.
 */
function keepAside(files: Files, from: string, to: string): void {
  try {
    files.link(from, to)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error
    files.rename(from, to)
  }
}

/** Returns the state of the manifest; an empty state if the manifest cannot be read. */
function readManifest(files: Files, folder: string, folderId: Uint8Array): ManifestState {
  try {
    return manifestOf(readLog(files, folder, 'manifest', folderId))
  } catch (error) {
    messageOf(error)
    return manifestOf([])
  }
}

/**
 * Yields the records of a log and checks them. Throws `durable/damaged` also if the log and the manifest were saved at
 * different times, or if an edit names files outside the folder.
 */
function* soundRecords(files: Files, folder: string, logName: LogName, folderId: Uint8Array): Generator<LogRecord> {
  let range = { startId: 0, lastId: 0 }
  for (const record of readLog(files, folder, logName, folderId, (found) => (range = found))) {
    if (logName === 'manifest') editOf(record)
    yield record
  }
  if (isBatchLogName(logName)) checkLog(readManifest(files, folder, folderId), logName, range)
}

function surveyLog(files: Files, folder: string, logName: LogName, folderId: Uint8Array): LogSurvey {
  const logPath = join(folder, logFile(logName))
  let damage: string | undefined
  const startId = headerOf(files, folder, logName, folderId)?.startId
  try {
    let kept = 0
    for (const record of soundRecords(files, folder, logName, folderId)) if (!isPlaceholder(record)) kept++
    return {
      logName,
      damage,
      kept,
      lost: [],
      isEndKnown: true,
      records: () => readLog(files, folder, logName, folderId),
      startId: startId ?? 0,
    }
  } catch (error) {
    if (isOfOtherBuild(error)) throw error
    damage = messageOf(error)
  }
  const isForeign = idIn(files, logPath, HEADER_BYTES)?.equals(folderId) === false
  const found = (isForeign ? undefined : withFile(files, logPath, (file) => findRecords(file, logName))) ?? []
  const manifest = isBatchLogName(logName) ? readManifest(files, folder, folderId) : undefined
  const known = manifest === undefined || !isBatchLogName(logName) ? 0 : lastKnown(manifest, logName)
  let lastId: number | undefined
  try {
    lastId = Math.max(known, committedEnd(files, folder, logName, folderId).lastId)
  } catch (error) {
    messageOf(error)
  }
  const records = function* (): Generator<LogRecord> {
    const file = files.openToRead(logPath)
    try {
      const size = file.size()
      for (const { at } of found) {
        const record = readRecord(file, at, size)
        if (record !== undefined) yield record
      }
    } finally {
      file.close()
    }
  }
  // Without a header, the manifest tells which records are no longer needed; all other missing records count as lost.
  const start =
    startId ??
    Math.min(
      isBatchLogName(logName) && manifest !== undefined ? inFiles(manifest)[logName] : 0,
      (found[0]?.id ?? Infinity) - 1,
    )
  return {
    logName,
    damage,
    kept: found.filter((record) => !record.isPlaceholder).length,
    lost: missingBetween(found, start, Math.max(lastId ?? start, known, found.at(-1)?.id ?? 0)),
    isEndKnown: lastId !== undefined,
    records: found.length === 0 ? () => [] : records,
    startId: start,
  }
}

/** Returns the folder id in the first bytes of a log or head; `undefined` if the id cannot be read. */
function idIn(files: Files, path: string, bytes: number): Buffer | undefined {
  const start = Buffer.alloc(bytes)
  withFile(files, path, (file) => file.read(start, 0))
  return folderIdIn(start)
}

/** Returns the folder ids in the logs and heads, independent of the marker. */
function idsInFiles(files: Files, folder: string): readonly Buffer[] {
  const idFiles = logNames.flatMap((logName) => [
    { name: logFile(logName), bytes: HEADER_BYTES },
    { name: headFile(logName), bytes: SLOT_BYTES },
  ])
  return idFiles.flatMap(({ name, bytes }) => idIn(files, join(folder, name), bytes) ?? [])
}

/** True if the folder contains any file of Sluice: the marker, a log or a head. */
export function isDataFolder(files: Files, folder: string): boolean {
  const names = [MARKER_FILE, ...logNames.flatMap((logName) => [logFile(logName), headFile(logName)])]
  return names.some((name) => files.exists(join(folder, name)))
}

/**
 * Checks all files of a data folder and changes nothing. The caller must hold the lock. Throws `durable/newer-version`
 * or `durable/earlier-format` if another release wrote the folder.
 */
export function surveyFolder(files: Files, folder: string): FolderSurvey {
  let folderId: Buffer | undefined
  let markerDamage: string | undefined
  try {
    folderId = readMarker(files, folder)
    if (folderId === undefined) markerDamage = `its file \`${MARKER_FILE}\` is missing`
  } catch (error) {
    if (isOfOtherBuild(error)) throw error
    markerDamage = messageOf(error)
  }
  const ids = idsInFiles(files, folder)
  if (folderId !== undefined && ids.length > 1 && !ids.some((each) => each.equals(folderId ?? each))) {
    folderId = undefined
    markerDamage = `\`${MARKER_FILE}\` is that of another data folder`
  }
  const id = folderId ?? ids[0] ?? randomBytes(FOLDER_ID_BYTES)
  const surveyed = logNames.map((logName) => surveyLog(files, folder, logName, id))
  const isWhole = markerDamage === undefined && surveyed.every(({ damage }) => damage === undefined)
  return { folder, markerDamage, logs: surveyed, folderId: id, isWhole }
}

/** Returns the state of the manifest, from the edits that can be read. */
function manifestIn({ logs }: FolderSurvey): ManifestState {
  return manifestOf(logs.find(({ logName }) => logName === 'manifest')?.records() ?? [])
}

/** Returns the id of the last lost record of a log; 0 if no record is lost. */
function lastIdOf({ lost }: LogSurvey): number {
  return lost.at(-1)?.last ?? 0
}

/** Maximum size of records that share one sync, bytes. */
const GROUP_BYTES = 16 * MIB

function writeLog(files: Files, survey: FolderSurvey, logSurvey: LogSurvey): void {
  const { logName, records, startId } = logSurvey
  const { folder, folderId } = survey
  const name = `${logName}.new`
  const manifest = manifestIn(survey)
  // Batches that are in files must not be replayed.
  const fromId = Math.max(startId, isBatchLogName(logName) ? inFiles(manifest)[logName] : 0)
  // The manifest refers to batches by id, so kept batches keep their ids, and ids of lost batches are never reused.
  const lastId = isBatchLogName(logName) ? Math.max(lastIdOf(logSurvey), lastKnown(manifest, logName)) : undefined
  RecordLog.create(files, folder, name, folderId, fromId)
  const log = RecordLog.open(files, folder, name, folderId)
  try {
    let group: Uint8Array[][] = []
    let bytes = 0
    let nextId = fromId + 1
    const fillTo = (id: number): void => {
      for (; nextId < id; nextId++) group.push([new Uint8Array(0)])
    }
    for (const { id, body } of records()) {
      if (id <= fromId) continue
      if (lastId !== undefined) fillTo(id)
      nextId++
      group.push([body])
      bytes += body.length
      if (bytes < GROUP_BYTES) continue
      log.commit(group)
      group = []
      bytes = 0
    }
    if (lastId !== undefined) fillTo(lastId + 1)
    if (group.length > 0) log.commit(group)
  } finally {
    log.close()
  }
  files.syncFolder(folder)
  for (const file of [logFile, headFile]) files.rename(join(folder, file(name)), join(folder, file(logName)))
}

/**
 * Replaces damaged files by new ones with the content that can be kept. Moves the damaged files to a new folder and
 * returns its path. An interrupted call can be repeated.
 */
export function repairFolder(files: Files, survey: FolderSurvey): string {
  const { folder, folderId } = survey
  let number = 1
  while (files.exists(join(folder, `damaged-${number}`))) number++
  const aside = join(folder, `damaged-${number}`)
  makeFolder(files, aside)
  const damaged = survey.logs.filter(({ damage }) => damage !== undefined)
  const names = damaged.flatMap(({ logName }) => [logFile(logName), headFile(logName)])
  if (survey.markerDamage !== undefined) names.push(MARKER_FILE)
  for (const name of names)
    if (files.exists(join(folder, name))) keepAside(files, join(folder, name), join(aside, name))
  files.syncFolder(aside)
  for (const damagedLog of damaged) writeLog(files, survey, damagedLog)
  files.syncFolder(folder)
  if (survey.markerDamage !== undefined) restoreMarker(files, folder, folderId)
  return aside
}
