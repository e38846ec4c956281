import { join } from 'node:path'
import { SluiceError, invariant, nowhere, present } from '../../base/index.ts'
import { durableDiagnostic } from './diagnostics.ts'
import { writeFile, type Files, type OpenFile } from './files.ts'
import { LOCK_FILE, SLOT_BYTES, encodeHeader, encodeSlot, logStart, type LogEnd, type LogHeader } from './log-format.ts'
import { NewLog, writeRecord, type RecordBody } from './new-log.ts'
import {
  headFile,
  logFile,
  openPart,
  openedLog,
  readRecord,
  readRecords,
  type LogRecord,
  type Said,
} from './read-log.ts'

/**
 * An append-only file of records, and a head apart from it that says where it ends. A commit writes the records, syncs
 * them, writes the head, syncs it, and only then is done. So whatever a crash leaves, the head is never ahead of the log
 * and never behind what was acknowledged: a log that is shorter than its head says, or that differs, is damaged.
 */
export class RecordLog {
  /** What was noticed at the opening and put right, without any loss. */
  readonly notices: readonly string[]
  readonly #files: Files
  readonly #folder: string
  readonly #part: string
  readonly #folderId: Uint8Array
  /** The identity of the lock under which it is written; `undefined` where the folder is not locked. */
  readonly #lock: string | undefined
  #log: OpenFile
  readonly #head: OpenFile
  #header: LogHeader
  /** Where it ends by the head on the disk. */
  #end: LogEnd
  /** Where it ends by what is on the disk of it: the head follows. */
  #synced: LogEnd
  #naming: Promise<void> | undefined
  #sequence: number
  #isBroken = false
  #isClosed = false

  private constructor(
    [files, folder, part, folderId]: readonly [files: Files, folder: string, part: string, folderId: Uint8Array],
    opened: { readonly log: OpenFile; readonly head: OpenFile; readonly lock: string | undefined },
    { slots, header, end }: Said,
  ) {
    this.#files = files
    this.#folder = folder
    this.#part = part
    this.#folderId = folderId
    this.#lock = opened.lock
    this.#log = opened.log
    this.#head = opened.head
    this.#header = header
    this.#end = end
    this.#synced = end
    this.#sequence = slots[0]?.sequence ?? 0
    // The process that gave the log its name may have been killed before the sync of the folder.
    const isNamed = slots[0]?.generation === header.generation
    if (!isNamed) files.syncFolder(folder)
    this.notices = this.#settleTail(slots.length, isNamed)
    this.#synced = this.#end
  }

  /** Makes the two files of an empty log, synced; their names are not until the folder is. */
  static create(files: Files, folder: string, part: string, folderId: Uint8Array, startId = 0): void {
    const base = logStart(startId)
    const slot = (sequence: number): Buffer => encodeSlot(folderId, { ...base, generation: 0, sequence })
    writeFile(files, join(folder, logFile(part)), encodeHeader(folderId, { generation: 0, base, startId }))
    writeFile(files, join(folder, headFile(part)), Buffer.concat([slot(0), slot(1)]))
  }

  /**
   * Opens a log for appending. Whole records behind the end that the head names, which a crash can leave, are kept; what
   * comes behind those is cut off: nobody was told that it is stored. `lock` is the identity of the lock that whoever opens it holds. Throws SluiceError `durable/missing`,
   * `durable/damaged`, `durable/newer-version`; records are checked by `read`.
   */
  static open(files: Files, folder: string, part: string, folderId: Uint8Array, lock?: string): RecordLog {
    const log = openPart(files, folder, logFile(part), false)
    let head: OpenFile | undefined
    try {
      head = openPart(files, folder, headFile(part), false)
      const said = openedLog(log, head, part, folderId)
      return new RecordLog([files, folder, part, folderId], { log, head, lock }, said)
    } catch (error) {
      log.close()
      head?.close()
      throw error
    }
  }

  get lastId(): number {
    return this.#end.lastId
  }

  /** Where it ends. */
  get end(): LogEnd {
    return this.#end
  }

  /** Where it ended when it took the place of another; 0 records when it never did. */
  get base(): LogEnd {
    return this.#header.base
  }

  /**
   * Every committed record behind `passedId`, whose bodies alone are read. Throws `durable/damaged` at the first that is not as it was.
   */
  read(passedId = 0): Iterable<LogRecord> {
    return readRecords(this.#log, this.#part, this.#header, this.#end, passedId)
  }

  /** The id before its first record: records up to it have left the log. */
  get startId(): number {
    return this.#header.startId
  }

  /** Returns when the records are on the disk and the head names them; one that throws has stored none of them. */
  commit(bodies: readonly RecordBody[]): void {
    this.#checkWhole()
    const ends = this.#writeRecords(bodies)
    const end = ends.at(-1) ?? this.#synced
    this.#surely(() => {
      this.#log.sync()
      this.#writeHead(end)
      this.#head.sync()
      this.#checkNames()
    })
    this.#synced = end
    this.#end = end
  }

  /**
   * The first half of a commit while the event loop goes on: resolves when the records are on the disk, with where the log ends
   * behind each. One at a time.
   */
  async writeLater(bodies: readonly RecordBody[]): Promise<readonly LogEnd[]> {
    this.#checkWhole()
    const ends = this.#writeRecords(bodies)
    await this.#surelyLater(() => this.#log.syncLater())
    this.#synced = ends.at(-1) ?? this.#synced
    return ends
  }

  /** The second half: resolves when the head on the disk names an end that `writeLater` gave. Any number at a time. */
  async acknowledgeLater(end: LogEnd): Promise<void> {
    while (this.#end.lastId < end.lastId) {
      this.#naming ??= this.#nameSynced().finally(() => (this.#naming = undefined))
      await this.#naming
    }
  }

  /** As `commit`, while the event loop goes on. One at a time. */
  async commitLater(bodies: readonly RecordBody[]): Promise<void> {
    const ends = await this.writeLater(bodies)
    await this.acknowledgeLater(ends.at(-1) ?? this.#end)
  }

  /** One head names all that has been synced meanwhile. */
  async #nameSynced(): Promise<void> {
    this.#checkWhole()
    const end = this.#synced
    await this.#surelyLater(async () => {
      this.#writeHead(end)
      await this.#head.syncLater()
      this.#checkNames()
    })
    this.#end = end
  }

  /** Takes back what was committed behind a record, and that nobody was told of; what has left the log stays. Returns when that is on the disk. */
  cutTo(lastId: number): void {
    if (lastId >= this.#end.lastId) return
    const end = this.#endBehind(lastId)
    this.#isBroken = true
    // The head must never be ahead of the log.
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

  /** Begins a log that may take the place of this one by `replaceBy`; its records count from behind `startId`. */
  beginNew(startId = 0): NewLog {
    return new NewLog(this.#files, join(this.#folder, `${logFile(this.#part)}.new`), startId)
  }

  /**
   * Lets a log that says what is still needed take the place of this one, which goes on as that: a crash leaves one of the two whole. Only a name
   * changes at once; where the new one ends stands in its own header until the head says so. Between two commits; when it
   * rejects, this one goes on as it is, or is broken.
   */
  async replaceBy(next: NewLog): Promise<void> {
    this.#checkWhole()
    invariant(this.#end === this.#synced, 'a log is replaced between two commits')
    const { end: base, startId } = next
    const header: LogHeader = { generation: this.#header.generation + 1, base, startId }
    next.file.write(encodeHeader(this.#folderId, header), 0)
    await next.file.syncLater()
    // Else the new name of this one could come to stand for what an earlier try left under the old.
    await this.#files.syncFolderLater(this.#folder)
    this.#files.rename(next.path, join(this.#folder, logFile(this.#part)))
    const old = this.#log
    this.#log = next.file
    this.#header = header
    this.#end = next.end
    this.#synced = next.end
    old.close()
    // The head must not name it before its name is sure.
    await this.#surelyLater(() => this.#files.syncFolderLater(this.#folder))
    await this.#nameSynced()
  }

  /** Gives up a log that was begun, unless it is this one by now. */
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
   * Throws `durable/write-failed` if a file or the lock was removed or replaced. The next start would not find what is written to such a
   * file, and without the lock another process may write to the same folder.
   */
  #checkNames(): void {
    const files = [
      [logFile(this.#part), this.#log.identity()],
      [headFile(this.#part), this.#head.identity()],
      [LOCK_FILE, this.#lock],
    ] as const
    for (const [name, identity] of files) {
      if (identity === undefined || this.#files.identity(join(this.#folder, name)) === identity) continue
      const reason = `\`${name}\` was removed or replaced while it was in use; nothing more is stored until a restart`
      throw new SluiceError([durableDiagnostic('write-failed', { reason }, nowhere)])
    }
  }

  /** After a step that failed the system may have dropped what was written: nothing may be added behind it. */
  #surely(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  async #surelyLater(step: () => Promise<void>): Promise<void> {
    try {
      await step()
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  /** Writes behind the end, or takes back what it wrote and throws; gives where each record ends. */
  #writeRecords(bodies: readonly RecordBody[]): readonly LogEnd[] {
    this.#surely(() => this.#checkNames())
    let end = this.#synced
    const ends: LogEnd[] = []
    try {
      for (const body of bodies) ends.push((end = writeRecord(this.#log, end, body)))
    } catch (error) {
      // Unsynced it could come back after a crash, although its sender is told that nothing was stored.
      this.#isBroken = true
      this.#log.truncate(this.#synced.endBytes)
      this.#log.sync()
      this.#isBroken = false
      throw error
    }
    return ends
  }

  /** The slot that does not hold now is overwritten: if the write is torn, the other still stands. */
  #writeHead(end: LogEnd): void {
    const sequence = ++this.#sequence
    const { generation } = this.#header
    this.#head.write(encodeSlot(this.#folderId, { ...end, generation, sequence }), (sequence % 2) * SLOT_BYTES)
  }

  /** `isNamed` is false for a log that took the place of another before the head came to say so. */
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
      // What was read may not be on the disk yet, and the head must never be ahead of the log.
      this.#log.sync()
      this.#writeHead(end)
    }
    // Also a head that was only read: the process that wrote it may have been killed before its sync.
    this.#head.sync()
    this.#end = end
    const notices: string[] = []
    if (wholeSlots < 2)
      notices.push(
        `one of the two copies in ${headFile(this.#part)} was torn or damaged; it was written anew from the other`,
      )
    if (cutBytes > 0)
      notices.push(
        `${cutBytes} bytes at the end of ${logFile(this.#part)}, which were never acknowledged, were cut off`,
      )
    return notices
  }
}
