import { join } from 'node:path'
import { CHUNK_BYTES, SluiceError, nowhere } from '../../base/index.ts'
import { durableDiagnostic, isReadFailed, readFailure } from './diagnostics.ts'
import { isNoFile, isReadFailure, writeFile, type Files, type OpenFile } from './files.ts'
import {
  FORMAT_VERSION,
  HEADER_BYTES,
  HEAD_BYTES,
  MARKER_FILE,
  RECORD_HEAD_BYTES,
  SLOT_BYTES,
  checksumOf,
  decodeHeader,
  decodeRecordHead,
  decodeSlot,
  emptyLog,
  encodeSlot,
  logStart,
  folderIdIn,
  type HeadSlot,
  type LogEnd,
  type LogHeader,
  type Read,
  type RecordHead,
} from './log-format.ts'

/** A committed record of a log. */
export interface LogRecord {
  /** The id of the record. Ids are consecutive, also across a replacement of the log. */
  readonly id: number
  readonly body: Buffer
}

export const logFile = (logName: string): string => `${logName}.log`
export const headFile = (logName: string): string => `${logName}.head`

const OF_ANOTHER = `it is of another data folder than \`${MARKER_FILE}\` says`

function refused(logName: string, what: string): SluiceError {
  return new SluiceError([durableDiagnostic('damaged', { part: logName, what }, nowhere)])
}

/** Returns a decoded value. Throws `durable/newer-version` if a later release wrote it. */
function known<T extends object>(read: Read<T>): T | undefined {
  if (read !== undefined && 'version' in read && Object.keys(read).length === 1)
    throw new SluiceError([durableDiagnostic('newer-version', { found: read.version, known: FORMAT_VERSION }, nowhere)])
  return read as T | undefined
}

export function openLogFile(files: Files, folder: string, name: string, isReadonly: boolean): OpenFile {
  const path = join(folder, name)
  let file: OpenFile
  try {
    if (!files.exists(path)) throw new SluiceError([durableDiagnostic('missing', { part: name }, nowhere)])
    file = isReadonly ? files.openToRead(path) : files.open(path)
  } catch (error) {
    throw isNoFile(error) || isReadFailure(error) ? readFailure(name, error) : error
  }
  return {
    size: () => file.size(),
    // Read errors of the system do not contain the file name, so it is added here.
    read: (into, at) => {
      try {
        return file.read(into, at)
      } catch (error) {
        throw readFailure(name, error)
      }
    },
    write: (bytes, at) => file.write(bytes, at),
    truncate: (length) => file.truncate(length),
    sync: () => file.sync(),
    syncLater: () => file.syncLater(),
    identity: () => file.identity(),
    close: () => file.close(),
  }
}

/** Returns the valid slots of a head file, the most recent first. */
export function readHead(file: OpenFile, logName: string, folderId: Uint8Array): readonly HeadSlot[] {
  const bytes = Buffer.alloc(HEAD_BYTES)
  const size = file.size()
  if (size !== HEAD_BYTES || file.read(bytes, 0) !== HEAD_BYTES)
    throw refused(headFile(logName), `it is ${size} bytes long instead of ${HEAD_BYTES}`)
  const slots = [bytes.subarray(0, SLOT_BYTES), bytes.subarray(SLOT_BYTES)]
    .map((slot) => known(decodeSlot(slot, folderId)))
    .filter((slot) => slot !== undefined)
  if (slots.length === 0) {
    const isForeign = folderIdIn(bytes.subarray(0, SLOT_BYTES)) !== undefined
    throw refused(headFile(logName), isForeign ? OF_ANOTHER : 'neither of its two copies matches its checksum')
  }
  return slots.toSorted((a, b) => b.sequence - a.sequence)
}

/**
 * Returns the head of the record at a position; `undefined` if there is no valid head or the record ends after
 * `limitBytes`.
 */
function readRecordHead(
  file: OpenFile,
  at: number,
  limitBytes: number,
): (RecordHead & { readonly start: Buffer; readonly endBytes: number }) | undefined {
  const start = Buffer.alloc(RECORD_HEAD_BYTES)
  if (at + RECORD_HEAD_BYTES > limitBytes || file.read(start, at) < RECORD_HEAD_BYTES) return undefined
  const head = decodeRecordHead(start)
  if (head === undefined) return undefined
  const endBytes = at + RECORD_HEAD_BYTES + head.bodyBytes
  return endBytes > limitBytes ? undefined : { ...head, start, endBytes }
}

/** Returns the record at a position; `undefined` if the record ends after `limitBytes` or its checksum differs. */
export function readRecord(
  file: OpenFile,
  at: number,
  limitBytes: number,
): (LogRecord & { readonly before: number; readonly checksum: number; readonly endBytes: number }) | undefined {
  const head = readRecordHead(file, at, limitBytes)
  if (head === undefined) return undefined
  const body = Buffer.allocUnsafe(head.bodyBytes)
  if (file.read(body, at + RECORD_HEAD_BYTES) < body.length) return undefined
  if (checksumOf(head.start, [body]) !== head.checksum) return undefined
  const { id, before, checksum, endBytes } = head
  return { id, body, before, checksum, endBytes }
}

/**
 * Yields the records up to an end, in order. Records up to `passedId` are not yielded; only their heads are checked.
 * Throws `durable/damaged` at the first record that differs from what was committed.
 */
export function* readRecords(
  file: OpenFile,
  logName: string,
  { startId }: LogHeader,
  end: LogEnd,
  passedId = 0,
): Generator<LogRecord> {
  let last = logStart(startId)
  while (last.endBytes < end.endBytes) {
    const id = last.lastId + 1
    const isPassed = id <= passedId
    const record = (isPassed ? readRecordHead : readRecord)(file, last.endBytes, end.endBytes)
    if (record === undefined || record.id !== id || record.before !== last.checksum)
      throw refused(logFile(logName), `record ${id}, at byte ${last.endBytes}, does not match its checksum`)
    if ('body' in record) yield { id, body: record.body }
    last = { lastId: id, endBytes: record.endBytes, checksum: record.checksum }
  }
  if (last.lastId !== end.lastId || last.checksum !== end.checksum)
    throw refused(logFile(logName), `its last record is not the one that ${headFile(logName)} names`)
}

/** The header, the head slots and the end of a log. */
export interface OpenedLog {
  readonly slots: readonly HeadSlot[]
  readonly header: LogHeader
  /** The end of the log. */
  readonly end: LogEnd
}

function readHeader(log: OpenFile, logName: string, folderId: Uint8Array): LogHeader {
  const bytes = Buffer.alloc(HEADER_BYTES)
  const header = log.read(bytes, 0) < HEADER_BYTES ? undefined : known(decodeHeader(bytes, folderId))
  if (header !== undefined) return header
  throw refused(
    logFile(logName),
    folderIdIn(bytes) === undefined ? 'its first bytes do not match their checksum' : OF_ANOTHER,
  )
}

/**
 * Returns the end of a log. If the log replaced another one and its head was not written since, the end is in the
 * header.
 */
function endOf(header: LogHeader, slots: readonly HeadSlot[], logName: string): LogEnd {
  const slot = slots[0] ?? { ...emptyLog, generation: 0 }
  if (slot.generation === header.generation) return slot
  if (slot.generation + 1 === header.generation) return header.base
  throw refused(logFile(logName), `it is not the log that ${headFile(logName)} names, but an earlier or later one`)
}

/** Reads and checks the header and head of a log, without its records. */
export function openedLog(log: OpenFile, head: OpenFile, logName: string, folderId: Uint8Array): OpenedLog {
  const slots = readHead(head, logName, folderId)
  const header = readHeader(log, logName, folderId)
  const end = endOf(header, slots, logName)
  const size = log.size()
  if (size < end.endBytes)
    throw refused(logFile(logName), `its last ${end.endBytes - size} bytes are missing, up to record ${end.lastId}`)
  return { slots, header, end }
}

/**
 * Returns the end of a log from its head, and from its header if the header is readable. Records are not read. Throws
 * SluiceError if no end can be determined.
 */
export function committedEnd(files: Files, folder: string, logName: string, folderId: Uint8Array): LogEnd {
  const head = openLogFile(files, folder, headFile(logName), true)
  try {
    const slots = readHead(head, logName, folderId)
    const header = headerOf(files, folder, logName, folderId)
    return header === undefined ? (slots[0] ?? emptyLog) : endOf(header, slots, logName)
  } finally {
    head.close()
  }
}

/** Returns the header of a log; `undefined` if the header is damaged or missing. */
export function headerOf(files: Files, folder: string, logName: string, folderId: Uint8Array): LogHeader | undefined {
  let log: OpenFile | undefined
  try {
    log = openLogFile(files, folder, logFile(logName), true)
    return readHeader(log, logName, folderId)
  } catch (error) {
    if (error instanceof SluiceError && !isReadFailed(error)) return undefined
    throw error
  } finally {
    log?.close()
  }
}

/**
 * Yields the committed records of a log to which another process may be writing. Calls `onRange` with the id before the
 * first record and the id of the last one. Throws the same errors as `RecordLog.open` and `RecordLog.read`.
 */
export function* readLog(
  files: Files,
  folder: string,
  logName: string,
  folderId: Uint8Array,
  onRange?: (range: { readonly startId: number; readonly lastId: number }) => void,
): Generator<LogRecord> {
  const opened: OpenFile[] = []
  const open = (name: string): OpenFile => {
    const file = openLogFile(files, folder, name, true)
    opened.push(file)
    return file
  }
  try {
    // The head is opened before the log: the records up to the end in the head were written earlier.
    const head = open(headFile(logName))
    const log = open(logFile(logName))
    const said = openedLog(log, head, logName, folderId)
    onRange?.({ startId: said.header.startId, lastId: said.end.lastId })
    yield* readRecords(log, logName, said.header, said.end)
  } finally {
    for (const file of opened) file.close()
  }
}

/**
 * Copies the acknowledged records of a log to another folder and writes a head for the copy. Another process may be
 * writing to the log. Each record is checked. The new files are synced, but the caller must sync the folder. Throws the
 * same errors as `readLog`.
 */
export function copyLog(
  files: Files,
  folder: string,
  to: string,
  logName: string,
  folderId: Uint8Array,
): { readonly startId: number; readonly end: LogEnd } {
  const head = openLogFile(files, folder, headFile(logName), true)
  const log = openLogFile(files, folder, logFile(logName), true)
  const copy = files.create(join(to, logFile(logName)))
  try {
    const { header, end } = openedLog(log, head, logName, folderId)
    for (const _ of readRecords(log, logName, header, end));
    const buffer = Buffer.alloc(CHUNK_BYTES)
    for (let at = 0; at < end.endBytes;) {
      const bytes = buffer.subarray(0, log.read(buffer.subarray(0, Math.min(CHUNK_BYTES, end.endBytes - at)), at))
      if (bytes.length === 0) throw refused(logFile(logName), 'it became shorter while it was read')
      copy.write(bytes, at)
      at += bytes.length
    }
    copy.sync()
    const slot = (sequence: number): Buffer => encodeSlot(folderId, { ...end, generation: header.generation, sequence })
    writeFile(files, join(to, headFile(logName)), Buffer.concat([slot(0), slot(1)]))
    return { startId: header.startId, end }
  } finally {
    for (const file of [head, log, copy]) file.close()
  }
}
