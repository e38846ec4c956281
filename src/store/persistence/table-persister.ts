import { SluiceError, runCooperatively, nowhere, present } from '../../base/index.ts'
import {
  durableDiagnostic,
  tableKey,
  type BatchLogs,
  type Files,
  type LogMark,
  type Manifest,
  type TableEntry,
} from '../durable/index.ts'
import type { MemoryTable } from '../memory/index.ts'
import type { SampleChoice } from '../samples/index.ts'
import { RETENTION_CHECK_MS } from './idle-tail-sealer.ts'
import { backendFolder, checkBackends, removeStrays } from './folders.ts'
import { BlockCache, PooledFiles } from '../segments/index.ts'
import { Deletions, type FindRows } from './deletions.ts'
import { Expiry } from './expiry.ts'
import type { FileReaders } from './file-readers.ts'
import { fileFigures, type FileFigures, type Turnover } from './figures.ts'
import { FolderEdits } from './folder-edits.ts'
import { persistedTable, type PersistedTable } from './persisted-table.ts'
import type { MergeSizes } from './merging/merge.ts'
import { PartMerger } from './merging/part-merger.ts'
import { RowMerger } from './merging/row-merger.ts'
import { SamplePersister } from './samples/sample-persister.ts'
import { SAMPLES_TABLE, type PersistedMetrics } from './samples/named-samples.ts'
import type { Retention } from './retention.ts'
import { RowProgress } from './row-progress.ts'
import { PackedAhead, type SegmentPacker } from './segment-packer.ts'
import { SegmentPersister } from './segment-persister.ts'
import { TableFiles } from './table-files.ts'

export interface TablePersisterOptions {
  readonly files: Files
  readonly folder: string
  readonly manifest: Pick<Manifest, 'state' | 'commit'>
  readonly log: Pick<BatchLogs, 'extent' | 'extentOf' | 'leave'>
  readonly tables: readonly Pick<PersistedTable, 'backend' | 'table'>[]
  readonly metrics: readonly PersistedMetrics[]
  /** Size of the block cache for segments, bytes. */
  readonly cacheBytes: number
  /** The pool that opens the files; closed together with the tables. By default a new one. */
  readonly pool?: PooledFiles | undefined
  /** Other threads that read files of the tables. No file is removed while a thread may use it. */
  readonly readers: FileReaders
  /**
   * If false, new segments stay in memory and their batches in the log, and another process may write rows to the
   * tables.
   */
  readonly keepsSegments: boolean
  /** Encodes files in the background. If absent, the calling thread encodes them. */
  readonly packer?: SegmentPacker | undefined
  /** Called when a write failed, which the next segment retries, and for damage that loses no data. */
  readonly onFailure?: (error: unknown) => void
  /** Called whenever the content of tables has changed other than by new rows. */
  readonly onChange?: () => void
  readonly retention?: Retention | undefined
  readonly nowNs: () => bigint
  /** Size of the log above which it is shortened, bytes; 32 MiB by default. */
  readonly logBytes?: number | undefined
  /** Sizes that decide which parts are merged. */
  readonly mergeSizes?: MergeSizes | undefined
}

const LOG_BYTES = 32 * 1024 ** 2
/**
 * Minimum number of unsealed rows for which closing writes the tails of a table. Longer tails would make the next start
 * load long dictionaries whole.
 */
const CLOSING_ROWS = 4096
/**
 * Maximum number of waiting segments whose word index is built together with their file. Beyond it, the sealing thread
 * builds word indexes itself.
 */
const SEGMENTS_WITHOUT_WORDS = 2
/** Number of segments without a file above which senders must wait. */
const SEGMENTS_WAITING = 4

/**
 * The persistent tables of a data folder. On opening, adds the stored segments to the tables. Each sealed segment is
 * written as a part, and batches leave the log once all their rows are in parts.
 *
 * All files in the manifest are complete; other files are ignored. A crash loses no rows, because the batches are still
 * in the log, and duplicates no rows, because a replay skips rows that are in segments.
 */
export class TablePersister {
  readonly #options: TablePersisterOptions
  readonly #tables = new Map<string, PersistedTable>()
  readonly #progress: RowProgress
  readonly #pool: PooledFiles
  readonly #edits: FolderEdits
  readonly #persister: SegmentPersister
  readonly #deletions: Deletions
  readonly #expiry: Expiry
  readonly #rowMerger: RowMerger
  readonly #partMerger: PartMerger
  readonly #samples: SamplePersister
  readonly #turnover: Turnover = { mergedSegments: 0, expiredSegments: 0 }
  /** True while arriving rows are not in the log. */
  #isLoading = false
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #again = false
  #isClosing = false

  constructor(options: TablePersisterOptions) {
    const { manifest, files, folder, log, cacheBytes, metrics, retention, nowNs, logBytes = LOG_BYTES } = options
    this.#options = options
    const { keepsSegments } = options
    const backends = new Set(options.tables.map(({ backend }) => backend))
    checkBackends(manifest.state, backends)
    const pool = options.pool ?? new PooledFiles(files)
    this.#pool = pool
    const cache = new BlockCache(cacheBytes)
    const wake = (): void => this.scheduleFlush()
    const onFailure = (error: unknown): void => options.onFailure?.(error)
    const { readers, onChange } = options
    const inFolder = { files, folder, manifest, pool }
    const edits = new FolderEdits({ ...inFolder, nowNs, readers, onDue: wake, onChange })
    this.#edits = edits
    const tables = this.#tables
    const progress = new RowProgress(manifest, tables)
    this.#progress = progress
    this.#deletions = new Deletions({ manifest, log, tables, edits, retiredTo: () => progress.retiredTo })
    const turnover = this.#turnover
    this.#rowMerger = new RowMerger({ edits, turnover, onFailure })
    const partMerger = new PartMerger({ edits, sizes: options.mergeSizes, onFailure, wake })
    this.#partMerger = partMerger
    const releaseParts = (): Promise<void> => partMerger.release()
    this.#expiry = new Expiry({ manifest, edits, retention, nowNs, turnover, releaseParts })
    const onNamed = (): void => {
      partMerger.named()
      edits.changed()
    }
    this.#persister = new SegmentPersister({ files, folder, manifest, tables, edits, progress, onNamed })
    const shared = { ...inFolder, log, cache, edits, keepsSegments, retention, nowNs, turnover }
    this.#samples = new SamplePersister({ ...shared, metrics, logBytes, onFailure })
    const inTable = { files, pool, cache, packing: new PackedAhead(options.packer), onMended: onFailure }
    for (const { backend, table } of options.tables) {
      // Rows of this table are samples, which `SamplePersister` stores.
      if (table.definition.name === SAMPLES_TABLE) continue
      const tableFiles = new TableFiles({ ...inTable, folder: backendFolder(folder, backend), table })
      this.#open(backend, table, tableFiles)
    }
    if (keepsSegments) removeStrays(files, folder, manifest.state, backends)
  }

  get keepsSegments(): boolean {
    return this.#options.keepsSegments
  }

  #open(backend: string, table: MemoryTable, files: TableFiles): void {
    const { manifest, packer } = this.#options
    const persisted = persistedTable(backend, table, files)
    const { key } = persisted
    this.#tables.set(key, persisted)
    const entry = manifest.state.tables.get(key)
    if (entry !== undefined) this.#restore(persisted, entry)
    table.segments.storedAt = (segment) => {
      const found = persisted.rowGroups.get(segment)
      const part = found && this.#edits.parts(persisted).find(({ name }) => name === found.name)
      return found && part && files.storedFile(part, found.number)
    }
    table.segments.onDamagedFile = (path, error) => files.damaged(path, error)
    if (!this.keepsSegments) return
    table.sealer.onSealed = (segment) => {
      if (this.#isLoading) return
      this.#progress.sealed(persisted, segment)
      this.#persister.packAhead()
    }
    if (packer !== undefined) table.sealer.sealsWords = (rows) => !this.#packsWords(packer, rows)
  }

  #restore(persisted: PersistedTable, entry: TableEntry): void {
    const { table } = persisted
    const rowGroups = persisted.files.open(entry, this.keepsSegments)
    for (const each of rowGroups) persisted.rowGroups.set(each.segment, each)
    table.segments.add(rowGroups.map(({ segment }) => segment))
    persisted.next = Math.max(0, ...entry.covered.values())
    table.writer.rows.skipBelow(entry.covered)
  }

  /** Ends the replay of the log. From now on no row is skipped. */
  readBack(): void {
    for (const { table, next } of this.#tables.values()) {
      const { rows } = table.writer
      rows.skipBelow(undefined)
      rows.nextSequence = Math.max(next, rows.nextSequence)
    }
    this.#progress.replayed()
    this.#samples.readBack()
    if (this.keepsSegments) {
      this.#partMerger.start()
      this.#timer = setInterval(() => this.scheduleFlush(), RETENTION_CHECK_MS).unref()
    }
    this.scheduleFlush()
  }

  /** Called before the rows of a batch are added to its table. */
  begin({ logName, id }: LogMark, backend: string, table: string): void {
    if (logName === 'samples') return this.#samples.begin()
    const persisted = this.#tableOf(backend, table)
    const { rows } = persisted.table.writer
    rows.nextSequence = this.#progress.begun(id, persisted, rows.nextSequence)
  }

  /**
   * Called after the rows of a batch were added to its table. Throws SluiceError `durable/other-rows` (see
   * `RowProgress.ended`).
   */
  end({ logName, id }: LogMark, backend: string, table: string): void {
    if (logName === 'samples') return this.#samples.end(id)
    const persisted = this.#tableOf(backend, table)
    this.#progress.ended(id, persisted, persisted.table.writer.rows.nextSequence)
  }

  #tableOf(backend: string, table: string): PersistedTable {
    return present(this.#tables.get(tableKey(backend, table)), 'a table of the folder')
  }

  /** Records that a batch was acknowledged to its sender. */
  acknowledge({ logName, id }: LogMark): void {
    if (logName === 'samples') this.#samples.acknowledge(id)
    else this.#progress.acknowledge(id)
    this.scheduleFlush()
  }

  /** Begins a period in which arriving rows are not logged and not persisted. The returned function ends the period. */
  pause(): () => void {
    this.#sealAll()
    this.#samples.beginLoading()
    this.#isLoading = true
    return () => {
      this.#sealAll()
      this.#samples.endLoading()
      this.#isLoading = false
    }
  }

  #sealAll(): void {
    if (this.keepsSegments) for (const { table } of this.#tables.values()) table.seal()
  }

  /**
   * True if the packer should build the word index of a segment together with its file. False if too many segments wait
   * for the packer, or if the rows get no file: then the index is built on sealing.
   */
  #packsWords(packer: SegmentPacker, rows: number): boolean {
    if (this.#isLoading || !packer.takes(rows)) return false
    // During a replay word indexes are always left to the packer, so that the start does not wait for them.
    return this.#progress.isReplaying || this.#progress.waitingSegments < SEGMENTS_WITHOUT_WORDS
  }

  /** Figures of the folder for the operators of a server. Sizes are those of files, in bytes. */
  get figures(): FileFigures & Readonly<Turnover> & { readonly waitingSegments: number; readonly logBytes: number } {
    const { manifest, log } = this.#options
    const { waitingSegments } = this.#progress
    const logBytes = log.extent.bytes + log.extentOf('samples').bytes
    return { ...fileFigures(manifest.state), ...this.#turnover, waitingSegments, logBytes }
  }

  /** Resolves when more rows may arrive: at once, unless more than `SEGMENTS_WAITING` segments have no file. */
  async capacity(): Promise<void> {
    while (this.#running !== undefined && this.#progress.waitingSegments > SEGMENTS_WAITING)
      await Promise.race([this.#running, this.#persister.nextNamed])
  }

  /** Starts background work (writing, deleting, expiring, merging) without waiting for its end. */
  scheduleFlush(): void {
    if (!this.keepsSegments || this.#progress.isReplaying || this.#isClosing) return
    this.#again = true
    this.#running ??= this.#run()
      .catch((error: unknown) => {
        this.#options.onFailure?.(error)
        this.#deletions.refuse(error)
      })
      .finally(() => (this.#running = undefined))
  }

  /** Writes rows to files early because memory is scarce, instead of waiting until segments are full. */
  flushForMemory(): void {
    if (!this.keepsSegments || this.#running !== undefined) return
    for (const { table } of this.#tables.values()) table.tails.closeAll()
    this.#samples.want()
    this.scheduleFlush()
  }

  /** Resolves when no write and no merge is running. */
  async settled(): Promise<void> {
    while (this.#running !== undefined || this.#partMerger.ended !== undefined) {
      await this.#running
      await this.#partMerger.ended
    }
  }

  /** Closes the folder. Tails with many rows are written first, so that the next start has less to replay. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#partMerger.stop()
    this.#timer = undefined
    if (this.keepsSegments && !this.#progress.isReplaying) {
      for (const { table } of this.#tables.values()) if (table.tails.rowCount >= CLOSING_ROWS) table.tails.closeAll()
      this.#samples.wantForClosing()
      this.scheduleFlush()
    }
    await this.settled()
    this.#isClosing = true
    this.#persister.stop()
    const closed = new SluiceError([durableDiagnostic('closed', {}, nowhere)])
    this.#deletions.refuse(closed)
    this.#samples.refuse(closed)
    this.#edits.close()
    this.#pool.closeAll()
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#isClosing) {
      this.#again = false
      for (const { table } of this.#tables.values()) await runCooperatively(table.fields.indexDictionaries())
      // A failure to write samples must not stop the tables.
      await this.#samples.flush(this.#timer === undefined).catch((error: unknown) => this.#options.onFailure?.(error))
      this.#expiry.closeIdleTails(this.#tables.values())
      this.#deletions.fillBefore()
      await this.#persister.persist()
      await this.#deletions.removeOldRemains()
      if (this.#deletions.areWaiting) await this.#partMerger.release()
      await this.#deletions.run()
      await this.#expiry.dropOverdue(this.#tables.values())
      if (this.#timer !== undefined && (await this.#rowMerger.run(this.#tables.values()))) this.#again = true
      this.#partMerger.beginIfDue(this.#tables.values(), this.#progress.waitingSegments > 0)
      await this.#shortenLog()
      this.#edits.removeLeft()
    }
  }

  /**
   * Deletes the rows of a table that `find` returns, including rows of every batch acknowledged before the call.
   * Resolves with the number of rows once none of them is left in the log, a segment or a dictionary, so that nothing
   * can bring them back. If it rejects, some of the rows may be deleted, but no row partly.
   */
  delete(backend: string, table: string, find: FindRows): Promise<number> {
    if (this.#isClosing || !this.keepsSegments)
      return Promise.reject(new SluiceError([durableDiagnostic('closed', {}, nowhere)]))
    const persisted = this.#tableOf(backend, table)
    const deleted = this.#deletions.add(persisted, find)
    this.scheduleFlush()
    return deleted
  }

  /** Deletes samples and exemplars, as `delete` does rows. If it rejects, no file has changed. */
  deleteSamples(backend: string, choice: SampleChoice): Promise<number> {
    if (this.#isClosing || !this.keepsSegments)
      return Promise.reject(new SluiceError([durableDiagnostic('closed', {}, nowhere)]))
    const deleted = this.#samples.delete(backend, choice)
    this.scheduleFlush()
    return deleted
  }

  /** Removes batches that are no longer needed from the log, or seals the rows that prevent this. */
  async #shortenLog(): Promise<void> {
    const { log, logBytes = LOG_BYTES } = this.#options
    const { startId, lastId, replayBytes } = log.extent
    if (replayBytes < logBytes) return
    const { retiredTo } = this.#progress
    if (retiredTo - startId >= (lastId - startId) / 2) return log.leave(retiredTo)
    const half = this.#progress.halfOfLog()
    if (half === undefined) return
    for (const [{ table }, sequence] of half) {
      table.tails.closeBefore(sequence)
      await runCooperatively(table.sealer.sealFull())
    }
    this.#again ||= [...this.#tables.values()].some((persisted) => this.#progress.ready(persisted).length > 0)
  }
}
