import { join } from 'node:path'
import { SluiceError, invariant, nowhere, present } from '../../base/index.ts'
import { durableDiagnostic } from './diagnostics.ts'
import { writeFile, type Files, type OpenFile } from './files.ts'
import { LOCK_FILE, SLOT_BYTES, encodeHeader, encodeSlot, logStart, type LogEnd, type LogHeader } from './log-format.ts'
import { NewLog, writeRecord, type RecordBody } from './new-log.ts'
import {
  headFile,
  logFile,
  openLogFile,
  openedLog,
  readRecord,
  readRecords,
  type LogRecord,
  type OpenedLog,
} from './read-log.ts'

/**
 * An append-only file of records, with a separate head file that states where the log ends. A commit writes and syncs
 * the records, then writes and syncs the head. After a crash, the head therefore covers every acknowledged record and
 * no unsynced one. If the log is shorter than the head says, or differs, it is damaged.
 */
export class RecordLog {
  /** Messages about problems that were repaired without loss when the log was opened. */
  readonly notices: readonly string[]
  readonly #files: Files
  readonly #folder: string
  readonly #logName: string
  readonly #folderId: Uint8Array
  /** The identity of the lock file when the log was opened; `undefined` if the folder is not locked. */
  readonly #lock: string | undefined
  #log: OpenFile
  readonly #head: OpenFile
  #header: LogHeader
  /** The end according to the head on the disk. */
  #end: LogEnd
  /** The end of the synced records, which may be after `#end` until the head is written. */
  #synced: LogEnd
  #naming: Promise<void> | undefined
  #sequence: number
  #isBroken = false
  #isClosed = false

  private constructor(
    [files, folder, logName, folderId]: readonly [files: Files, folder: string, part: string, folderId: Uint8Array],
    opened: { readonly log: OpenFile; readonly head: OpenFile; readonly lock: string | undefined },
    { slots, header, end }: OpenedLog,
  ) {
    this.#files = files
    this.#folder = folder
    this.#logName = logName
    this.#folderId = folderId
    this.#lock = opened.lock
    this.#log = opened.log
    this.#head = opened.head
    this.#header = header
    this.#end = end
    this.#synced = end
    this.#sequence = slots[0]?.sequence ?? 0
    // A process may rename the log and be killed before it syncs the folder.
    const isNamed = slots[0]?.generation === header.generation
    if (!isNamed) files.syncFolder(folder)
    this.notices = this.#settleTail(slots.length, isNamed)
    this.#synced = this.#end
  }

  /** Creates and syncs the two files of an empty log. Their names are durable only after the folder is synced. */
  static create(files: Files, folder: string, logName: string, folderId: Uint8Array, startId = 0): void {
    const base = logStart(startId)
    const slot = (sequence: number): Buffer => encodeSlot(folderId, { ...base, generation: 0, sequence })
    writeFile(files, join(folder, logFile(logName)), encodeHeader(folderId, { generation: 0, base, startId }))
    writeFile(files, join(folder, headFile(logName)), Buffer.concat([slot(0), slot(1)]))
  }

  /**
   * Opens a log for appending. Complete records after the end in the head, which a crash can leave, are kept. An
   * incomplete rest after them is cut off, since it was never acknowledged. `lock` is the identity of the lock that the
   * caller holds. Throws SluiceError `durable/missing`, `durable/damaged`, `durable/newer-version`. Records are not
   * checked until `read`.
   */
  static open(files: Files, folder: string, logName: string, folderId: Uint8Array, lock?: string): RecordLog {
    const log = openLogFile(files, folder, logFile(logName), false)
    let head: OpenFile | undefined
    try {
      head = openLogFile(files, folder, headFile(logName), false)
      const said = openedLog(log, head, logName, folderId)
      return new RecordLog([files, folder, logName, folderId], { log, head, lock }, said)
    } catch (error) {
      log.close()
      head?.close()
      throw error
    }
  }

  get lastId(): number {
    return this.#end.lastId
  }

  /** The end of the acknowledged records. */
  get end(): LogEnd {
    return this.#end
  }

  /** The end of this log when it replaced another one; the end of an empty log if it never did. */
  get base(): LogEnd {
    return this.#header.base
  }

  /**
   * Yields the committed records after `passedId`, and reads only the bodies of these records. Throws `durable/damaged`
   * at the first record that differs from what was committed.
   */
  read(passedId = 0): Iterable<LogRecord> {
    return readRecords(this.#log, this.#logName, this.#header, this.#end, passedId)
  }

  /** Id of the record before the first one. Records up to this id have been removed from the log. */
  get startId(): number {
    return this.#header.startId
  }

  /** Returns once the records are on the disk and the head covers them. If it throws, no record is stored. */
  commit(bodies: readonly RecordBody[]): void {
    this.#checkWhole()
    const ends = this.#writeRecords(bodies)
    const end = ends.at(-1) ?? this.#synced
    this.#failStop(() => {
      this.#log.sync()
      this.#writeHead(end)
      this.#head.sync()
      this.#checkNames()
    })
    this.#synced = end
    this.#end = end
  }

  /**
   * First half of a commit, without blocking the event loop. Resolves with the end of each record once the records are
   * on the disk. Calls must not overlap.
   */
  async writeLater(bodies: readonly RecordBody[]): Promise<readonly LogEnd[]> {
    this.#checkWhole()
    const ends = this.#writeRecords(bodies)
    await this.#failStopLater(() => this.#log.syncLater())
    this.#synced = ends.at(-1) ?? this.#synced
    return ends
  }

  /**
   * Second half of a commit. Resolves once the head on the disk covers `end`, which must come from `writeLater`. Calls
   * may overlap.
   */
  async acknowledgeLater(end: LogEnd): Promise<void> {
    while (this.#end.lastId < end.lastId) {
      this.#naming ??= this.#nameSynced().finally(() => (this.#naming = undefined))
      await this.#naming
    }
  }

  /** Commits without blocking the event loop. Calls must not overlap. */
  async commitLater(bodies: readonly RecordBody[]): Promise<void> {
    const ends = await this.writeLater(bodies)
    await this.acknowledgeLater(ends.at(-1) ?? this.#end)
  }

  /** Writes one head that covers all records synced so far. */
  async #nameSynced(): Promise<void> {
    this.#checkWhole()
    const end = this.#synced
    await this.#failStopLater(async () => {
      this.#writeHead(end)
      await this.#head.syncLater()
      this.#checkNames()
    })
    this.#end = end
  }

  /**
   * Removes the unacknowledged records after `lastId`. Records that were removed from the start of the log are not
   * restored. Returns once the removal is on the disk.
   */
  cutTo(lastId: number): void {
    if (lastId >= this.#end.lastId) return
    const end = this.#endBehind(lastId)
    this.#isBroken = true
    // The head is written before the log is cut: an end in the head must never be after the end of the log.
    this.#writeHead(end)
    this.#head.sync()
    this.#log.truncate(end.endBytes)
    this.#log.sync()
    this.#end = end
    this.#synced = end
    this.#isBroken = false
  }

  #endBehind(lastId: number): LogEnd {
    let end = logStart(this.#header.startId)
    while (end.lastId < lastId) {
      const { id, endBytes, checksum } = present(readRecord(this.#log, end.endBytes, this.#end.endBytes), 'a record')
      end = { lastId: id, endBytes, checksum }
    }
    return end
  }

  /** Begins a new log that `replaceBy` can put in place of this one. The first record gets id `startId + 1`. */
  beginNew(startId = 0): NewLog {
    return new NewLog(this.#files, join(this.#folder, `${logFile(this.#logName)}.new`), startId)
  }

  /**
   * Replaces the files of this log by those of `next`, which has only the records still needed; this object then uses
   * the new files. The rename is the only atomic step, so after a crash either log is complete. Until the head is
   * written, the header of the new log states its end. Must be called between two commits. If it rejects, this log is
   * unchanged or broken.
   */
  async replaceBy(next: NewLog): Promise<void> {
    this.#checkWhole()
    invariant(this.#end === this.#synced, 'a log is replaced between two commits')
    const { end: base, startId } = next
    const header: LogHeader = { generation: this.#header.generation + 1, base, startId }
    next.file.write(encodeHeader(this.#folderId, header), 0)
    await next.file.syncLater()
    // Otherwise, after a crash, the name of this log could refer to the file of an earlier failed attempt.
    await this.#files.syncFolderLater(this.#folder)
    this.#files.rename(next.path, join(this.#folder, logFile(this.#logName)))
    const old = this.#log
    this.#log = next.file
    this.#header = header
    this.#end = next.end
    this.#synced = next.end
    old.close()
    // The new name must be on the disk before the head refers to the new log.
    await this.#failStopLater(() => this.#files.syncFolderLater(this.#folder))
    await this.#nameSynced()
  }

  /** Discards a new log that has not replaced this one. */
  dropNew(next: NewLog): void {
    if (next.file !== this.#log) next.drop()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#log.close()
    this.#head.close()
  }

  #checkWhole(): void {
    if (!this.#isBroken) return
    const reason = 'an earlier write failed and nobody can tell what is on the disk; a restart reads it'
    throw new SluiceError([durableDiagnostic('write-failed', { reason }, nowhere)])
  }

  /**
   * Throws `durable/write-failed` if a file of the log or the lock file was removed or replaced. The next start would
   * not find writes to a removed file. Without the lock, another process may write to the same folder.
   */
  #checkNames(): void {
    const files = [
      [logFile(this.#logName), this.#log.identity()],
      [headFile(this.#logName), this.#head.identity()],
      [LOCK_FILE, this.#lock],
    ] as const
    for (const [name, identity] of files) {
      if (identity === undefined || this.#files.identity(join(this.#folder, name)) === identity) continue
      const reason = `\`${name}\` was removed or replaced while it was in use; nothing more is stored until a restart`
      throw new SluiceError([durableDiagnostic('write-failed', { reason }, nowhere)])
    }
  }

  /**
   * Runs a step; if it fails, marks the log as broken. The system may have dropped earlier writes, so nothing may be
   * appended.
   */
  #failStop(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  async #failStopLater(step: () => Promise<void>): Promise<void> {
    try {
      await step()
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  /** Appends records and returns the end of each. On an error, removes the records of this call and throws. */
  #writeRecords(bodies: readonly RecordBody[]): readonly LogEnd[] {
    this.#failStop(() => this.#checkNames())
    let end = this.#synced
    const ends: LogEnd[] = []
    try {
      for (const body of bodies) ends.push((end = writeRecord(this.#log, end, body)))
    } catch (error) {
      // The unsynced records could reappear after a crash, although their senders were told that nothing was stored.
      this.#isBroken = true
      this.#log.truncate(this.#synced.endBytes)
      this.#log.sync()
      this.#isBroken = false
      throw error
    }
    return ends
  }

  /** Writes the end to the older slot of the head. The newer slot stays valid if the write is torn. */
  #writeHead(end: LogEnd): void {
    const sequence = ++this.#sequence
    const { generation } = this.#header
    this.#head.write(encodeSlot(this.#folderId, { ...end, generation, sequence }), (sequence % 2) * SLOT_BYTES)
  }

  /**
   * Keeps complete records after the end, cuts off an incomplete rest, and updates the head. `isNamed` is false if the
   * log replaced another one and the head still refers to that one. Returns messages about repairs.
   */
  #settleTail(wholeSlots: number, isNamed: boolean): readonly string[] {
    const size = this.#log.size()
    let end = this.#end
    for (;;) {
      const record = readRecord(this.#log, end.endBytes, size)
      if (record === undefined || record.id !== end.lastId + 1 || record.before !== end.checksum) break
      end = { lastId: record.id, endBytes: record.endBytes, checksum: record.checksum }
    }
    const cutBytes = size - end.endBytes
    if (cutBytes > 0) this.#log.truncate(end.endBytes)
    const isSettled = end === this.#end && cutBytes === 0 && wholeSlots === 2 && isNamed
    if (!isSettled) {
      // The head must only name synced records, and the records found after the end may not be synced yet.
      this.#log.sync()
      this.#writeHead(end)
    }
    // An unchanged head is synced too: the process that wrote it may have been killed before the sync.
    this.#head.sync()
    this.#end = end
    const notices: string[] = []
    if (wholeSlots < 2)
      notices.push(
        `one of the two copies in ${headFile(this.#logName)} was torn or damaged; it was written anew from the other`,
      )
    if (cutBytes > 0)
      notices.push(
        `${cutBytes} bytes at the end of ${logFile(this.#logName)}, which were never acknowledged, were cut off`,
      )
    return notices
  }
}
