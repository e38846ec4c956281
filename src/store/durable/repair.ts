import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { CHUNK_BYTES, MIB, SluiceError, errorCode } from '../../base/index.ts'
import { parts, readMarker, restoreMarker, type Part } from './data-folder.ts'
import { isReadFailed, readFailure } from './diagnostics.ts'
import { isNoFile, isReadFailure, makeFolder, type Files, type OpenFile } from './files.ts'
import { FOLDER_ID_BYTES, HEADER_BYTES, MARKER_FILE, RECORD_MAGIC, SLOT_BYTES, folderIdIn } from './log-format.ts'
import { isBatchPart } from './batch-parts.ts'
import { checkLog, editOf, inFiles, lastKnown, manifestOf, type ManifestState } from './manifest.ts'
import { RecordLog } from './record-log.ts'
import { headFile, headerOf, logFile, readLog, readRecord, saidEnd, type LogRecord } from './read-log.ts'

/** A record that is still whole, and where it stands. */
interface Found {
  readonly id: number
  readonly isPlaceholder: boolean
  readonly at: number
}

/** What is left of one log. */
export interface PartSurvey {
  readonly part: Part
  /** What is wrong, in words; `undefined` for a log that is whole. */
  readonly damage: string | undefined
  /** How many records can be kept. */
  readonly kept: number
  /** Ids of records that are lost, as ranges without gaps between first and last. */
  readonly lost: readonly { readonly first: number; readonly last: number }[]
  /** False when nothing says how many records there were: more may be missing at the end. */
  readonly isEndKnown: boolean
  /** The records that can be kept, read one after the other. */
  readonly records: () => Iterable<LogRecord>
  /** The id before the first record that the log had. */
  readonly startId: number
}

export interface FolderSurvey {
  readonly folder: string
  /** What is wrong with the marker; `undefined` when it is whole. */
  readonly markerDamage: string | undefined
  readonly parts: readonly PartSurvey[]
  readonly folderId: Uint8Array
  readonly isWhole: boolean
}

/** In the place of a record that was lost to an earlier repair, so that those behind it keep their ids. */
function isPlaceholder({ body }: LogRecord): boolean {
  return body.length === 0
}

/** Where the next record may begin, at or behind a place. */
function nextMagic(file: OpenFile, from: number, size: number): number | undefined {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  for (let at = from; at < size; at += CHUNK_BYTES - RECORD_MAGIC.length) {
    const found = chunk.subarray(0, file.read(chunk, at)).indexOf(RECORD_MAGIC)
    if (found !== -1) return at + found
  }
  return undefined
}

/** Codes that say that another build wrote the folder. */
const OTHER_BUILDS: ReadonlySet<string> = new Set(['durable/newer-version', 'durable/earlier-format'])

/** Throws SluiceError where another build wrote it. */
function isSoundEdit(record: LogRecord): boolean {
  try {
    editOf(record)
    return true
  } catch (error) {
    if (error instanceof SluiceError && OTHER_BUILDS.has(error.code)) throw error
    messageOf(error)
    return false
  }
}

/** Every record that matches its own checksum, whatever stands between them. */
function findRecords(file: OpenFile, part: Part): readonly Found[] {
  const size = file.size()
  const found: Found[] = []
  let at: number | undefined = Math.min(HEADER_BYTES, size)
  while (at !== undefined) {
    const record = readRecord(file, at, size)
    if (record === undefined) at = nextMagic(file, at + 1, size)
    else {
      const isSound = part !== 'manifest' || isSoundEdit(record)
      if (isSound && record.id > (found.at(-1)?.id ?? 0))
        found.push({ id: record.id, isPlaceholder: isPlaceholder(record), at })
      at = record.endBytes
    }
  }
  return found
}

function missingBetween(found: readonly Found[], startId: number, lastId: number): PartSurvey['lost'] {
  const lost: { first: number; last: number }[] = []
  let expected = startId + 1
  for (const id of [...found.map((record) => record.id), lastId + 1]) {
    if (id > expected) lost.push({ first: expected, last: id - 1 })
    expected = id + 1
  }
  return lost
}

/** In words, what is wrong. What the system cannot read now is no damage: nothing is to be decided from it. */
function messageOf(error: unknown): string {
  if (error instanceof SluiceError && !isReadFailed(error)) return error.message
  throw error
}

/** `undefined` where there is no such file. */
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

/** Keeps what is damaged under another name. What can have no second one, such as a folder, leaves its place. */
function keepAside(files: Files, from: string, to: string): void {
  try {
    files.link(from, to)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error
    files.rename(from, to)
  }
}

/** The state of the manifest; an empty one where it cannot be read. */
function readManifest(files: Files, folder: string, folderId: Uint8Array): ManifestState {
  try {
    return manifestOf(readLog(files, folder, 'manifest', folderId))
  } catch (error) {
    messageOf(error)
    return manifestOf([])
  }
}

/** Throws `durable/damaged` also where a log is of another time than the manifest, and where an edit names files outside of the folder. */
function* soundRecords(files: Files, folder: string, part: Part, folderId: Uint8Array): Generator<LogRecord> {
  let range = { startId: 0, lastId: 0 }
  for (const record of readLog(files, folder, part, folderId, (told) => (range = told))) {
    if (part === 'manifest') editOf(record)
    yield record
  }
  if (isBatchPart(part)) checkLog(readManifest(files, folder, folderId), part, range)
}

function surveyPart(files: Files, folder: string, part: Part, folderId: Uint8Array): PartSurvey {
  const logPath = join(folder, logFile(part))
  let damage: string | undefined
  const startId = headerOf(files, folder, part, folderId)?.startId
  try {
    let kept = 0
    for (const record of soundRecords(files, folder, part, folderId)) if (!isPlaceholder(record)) kept++
    return {
      part,
      damage,
      kept,
      lost: [],
      isEndKnown: true,
      records: () => readLog(files, folder, part, folderId),
      startId: startId ?? 0,
    }
  } catch (error) {
    damage = messageOf(error)
  }
  const isForeign = idIn(files, logPath, HEADER_BYTES)?.equals(folderId) === false
  const found = (isForeign ? undefined : withFile(files, logPath, (file) => findRecords(file, part))) ?? []
  const manifest = isBatchPart(part) ? readManifest(files, folder, folderId) : undefined
  const known = manifest === undefined || !isBatchPart(part) ? 0 : lastKnown(manifest, part)
  let lastId: number | undefined
  try {
    lastId = Math.max(known, saidEnd(files, folder, part, folderId).lastId)
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
  // Without a header the manifest says which records are not needed; others are lost.
  const start =
    startId ??
    Math.min(isBatchPart(part) && manifest !== undefined ? inFiles(manifest)[part] : 0, (found[0]?.id ?? Infinity) - 1)
  return {
    part,
    damage,
    kept: found.filter((record) => !record.isPlaceholder).length,
    lost: missingBetween(found, start, Math.max(lastId ?? start, known, found.at(-1)?.id ?? 0)),
    isEndKnown: lastId !== undefined,
    records: found.length === 0 ? () => [] : records,
    startId: start,
  }
}

/** The id of the folder that a log or a head was made for; `undefined` where that cannot be read. */
function idIn(files: Files, path: string, bytes: number): Buffer | undefined {
  const start = Buffer.alloc(bytes)
  withFile(files, path, (file) => file.read(start, 0))
  return folderIdIn(start)
}

/** The ids of folders that stand in the logs and heads, whatever the marker says. */
function idsInFiles(files: Files, folder: string): readonly Buffer[] {
  const places = parts.flatMap((part) => [
    { name: logFile(part), bytes: HEADER_BYTES },
    { name: headFile(part), bytes: SLOT_BYTES },
  ])
  return places.flatMap(({ name, bytes }) => idIn(files, join(folder, name), bytes) ?? [])
}

/** True for a folder that has, or had, anything of ours. */
export function isDataFolder(files: Files, folder: string): boolean {
  const names = [MARKER_FILE, ...parts.flatMap((part) => [logFile(part), headFile(part)])]
  return names.some((name) => files.exists(join(folder, name)))
}

/**
 * Looks at everything in a data folder and changes nothing; whoever calls holds the lock. Throws `durable/newer-version` for the folder of a
 * later release.
 */
export function surveyFolder(files: Files, folder: string): FolderSurvey {
  let folderId: Buffer | undefined
  let markerDamage: string | undefined
  try {
    folderId = readMarker(files, folder)
    if (folderId === undefined) markerDamage = `its file \`${MARKER_FILE}\` is missing`
  } catch (error) {
    // A marker of this build would open files that it cannot read.
    if (error instanceof SluiceError && OTHER_BUILDS.has(error.code)) throw error
    markerDamage = messageOf(error)
  }
  const ids = idsInFiles(files, folder)
  if (folderId !== undefined && ids.length > 1 && !ids.some((each) => each.equals(folderId ?? each))) {
    folderId = undefined
    markerDamage = `\`${MARKER_FILE}\` is that of another data folder`
  }
  const id = folderId ?? ids[0] ?? randomBytes(FOLDER_ID_BYTES)
  const surveyed = parts.map((part) => surveyPart(files, folder, part, id))
  const isWhole = markerDamage === undefined && surveyed.every(({ damage }) => damage === undefined)
  return { folder, markerDamage, parts: surveyed, folderId: id, isWhole }
}

/** What the manifest says, as far as it can be read. */
function manifestIn({ parts }: FolderSurvey): ManifestState {
  return manifestOf(parts.find(({ part }) => part === 'manifest')?.records() ?? [])
}

/** The last id that a log had, as far as anything says. */
function lastIdOf({ lost }: PartSurvey): number {
  return lost.at(-1)?.last ?? 0
}

/** Bytes of records that are written with one sync. */
const GROUP_BYTES = 16 * MIB

function writePart(files: Files, survey: FolderSurvey, partSurvey: PartSurvey): void {
  const { part, records, startId } = partSurvey
  const { folder, folderId } = survey
  const name = `${part}.new`
  const manifest = manifestIn(survey)
  // Batches that lie in files must not be read again.
  const fromId = Math.max(startId, isBatchPart(part) ? inFiles(manifest)[part] : 0)
  // The manifest knows batches by their ids: each that is kept keeps its own, and none that comes gets one of those lost.
  const lastId = isBatchPart(part) ? Math.max(lastIdOf(partSurvey), lastKnown(manifest, part)) : undefined
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
  for (const file of [logFile, headFile]) files.rename(join(folder, file(name)), join(folder, file(part)))
}

/**
 * Puts what can be kept in the place of what is damaged, with the damaged files kept in a folder of their own, whose path
 * it gives. Interrupted anywhere, it can be started again.
 */
export function repairFolder(files: Files, survey: FolderSurvey): string {
  const { folder, folderId } = survey
  let number = 1
  while (files.exists(join(folder, `damaged-${number}`))) number++
  const aside = join(folder, `damaged-${number}`)
  makeFolder(files, aside)
  const damaged = survey.parts.filter(({ damage }) => damage !== undefined)
  const names = damaged.flatMap(({ part }) => [logFile(part), headFile(part)])
  if (survey.markerDamage !== undefined) names.push(MARKER_FILE)
  for (const name of names)
    if (files.exists(join(folder, name))) keepAside(files, join(folder, name), join(aside, name))
  files.syncFolder(aside)
  for (const part of damaged) writePart(files, survey, part)
  files.syncFolder(folder)
  if (survey.markerDamage !== undefined) restoreMarker(files, folder, folderId)
  return aside
}
