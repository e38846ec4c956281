import { SluiceError, inTurns, nowhere, present } from '../../base/index.ts'
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
import { Aging, RETENTION_CHECK_MS } from './aging.ts'
import { backendFolder, checkBackends, removeStrays } from './folders.ts'
import { BlockCache, PooledFiles } from '../segments/index.ts'
import { Deletions, type FindRows } from './deletions.ts'
import { Expiry } from './expiry.ts'
import type { FileReaders } from './file-readers.ts'
import { fileFigures, type FileFigures, type Turnover } from './figures.ts'
import { FolderEdits, type Kept } from './folder-edits.ts'
import type { MergeSizes } from './merging/merge.ts'
import { PartMerger } from './merging/part-merger.ts'
import { RowMerger } from './merging/row-merger.ts'
import { KeptSamples } from './samples/kept-samples.ts'
import { SAMPLES_TABLE, type KeptMetrics } from './samples/named-samples.ts'
import type { Retention } from './retention.ts'
import { RowProgress } from './row-progress.ts'
import { PackedAhead, type SegmentPacker } from './segment-packer.ts'
import { SegmentPersister } from './segment-persister.ts'
import { TableFiles } from './table-files.ts'

/** A table of a backend whose segments are kept in a folder. */
export interface KeptTable {
  readonly backend: string
  readonly table: MemoryTable
}

export interface KeptTablesOptions {
  readonly files: Files
  readonly folder: string
  readonly manifest: Pick<Manifest, 'state' | 'commit'>
  readonly log: Pick<BatchLogs, 'extent' | 'extentOf' | 'leave'>
  readonly tables: readonly KeptTable[]
  readonly metrics: readonly KeptMetrics[]
  /** What the segments that are read may take of memory, bytes. */
  readonly cacheBytes: number
  /** Opens the files, and is closed with the tables; one of their own unless given. */
  readonly pool?: PooledFiles | undefined
  /** Who reads files of the tables beside their keeper: no file leaves under them. */
  readonly readers: FileReaders
  /** False leaves new segments to memory and their batches to the log: others may put rows into the tables. */
  readonly keeps: boolean
  /** Makes the bytes of files; the thread that calls this does it itself where there is none. */
  readonly packer?: SegmentPacker | undefined
  /** Told of what could not be written, which is tried again with the next segment, and of damage that costs nothing. */
  readonly onFailure?: (error: unknown) => void
  /** Told whenever tables have changed without new rows. */
  readonly onChange?: () => void
  readonly retention?: Retention | undefined
  readonly nowNs: () => bigint
  /** Bytes of the log from which it is kept short; 32 MiB unless given. */
  readonly logBytes?: number | undefined
  /** Which parts are merged. */
  readonly mergeSizes?: MergeSizes | undefined
}

const LOG_BYTES = 32 * 1024 ** 2
/** So many rows of a table's tails are written when the folder is closed; more read back would take long dictionaries whole. */
const CLOSING_ROWS = 4096
/** So many segments at most get their words with their files; beyond that the thread that seals makes them. */
const SEGMENTS_WITHOUT_WORDS = 2
/** While more segments than these have no files yet, senders wait. */
const SEGMENTS_WAITING = 4

/**
 * The tables of a data folder: gives them their segments at the start, writes each segment that they seal to a file of its
 * own, and takes batches out of the log whose rows all lie in such files. What is named by the manifest is whole, and what
 * is not named is not there: a crash at any moment loses nothing, for the batches are still in the log, and doubles nothing,
 * for rows that segments hold are passed over when the log is read.
 */
export class KeptTables {
  readonly keepsSegments: boolean
  readonly #options: KeptTablesOptions
  readonly #tables = new Map<string, Kept>()
  readonly #progress: RowProgress
  readonly #pool: PooledFiles
  readonly #edits: FolderEdits
  readonly #persister: SegmentPersister
  readonly #deletions: Deletions
  readonly #expiry: Expiry
  readonly #rowMerger: RowMerger
  readonly #partMerger: PartMerger
  readonly #samples: KeptSamples
  readonly #turnover: Turnover = { mergedSegments: 0, expiredSegments: 0 }
  /** While rows come that are not in the log. */
  #isLoading = false
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #again = false
  #isClosing = false

  constructor(options: KeptTablesOptions) {
    const { manifest, files, folder, log, keeps, cacheBytes, metrics, retention, nowNs, logBytes = LOG_BYTES } = options
    this.#options = options
    this.keepsSegments = keeps
    const backends = new Set(options.tables.map(({ backend }) => backend))
    checkBackends(manifest.state, backends)
    const pool = options.pool ?? new PooledFiles(files)
    this.#pool = pool
    const cache = new BlockCache(cacheBytes)
    const wake = (): void => this.keep()
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
    const shared = { ...inFolder, log, cache, edits, keeps, retention, nowNs, turnover }
    this.#samples = new KeptSamples({ ...shared, metrics, logBytes, onFailure })
    const inTable = { files, pool, cache, packing: new PackedAhead(options.packer), onMended: onFailure }
    for (const { backend, table } of options.tables) {
      // Rows of this one are samples, which are kept apart.
      if (table.definition.name === SAMPLES_TABLE) continue
      const tableFiles = new TableFiles({ ...inTable, folder: backendFolder(folder, backend), table })
      this.#open(backend, table, tableFiles)
    }
    if (keeps) removeStrays(files, folder, manifest.state, backends)
  }

  #open(backend: string, table: MemoryTable, files: TableFiles): void {
    const { manifest, keeps, packer } = this.#options
    const key = tableKey(backend, table.definition.name)
    const kept: Kept = { key, backend, table, files, waiting: [], rowGroups: new Map(), next: 0, aging: new Aging() }
    this.#tables.set(key, kept)
    const entry = manifest.state.tables.get(key)
    if (entry !== undefined) this.#restore(kept, entry)
    table.segments.storedAt = (segment) => {
      const found = kept.rowGroups.get(segment)
      const part = found && this.#edits.parts(kept).find(({ name }) => name === found.name)
      return found && part && files.storedFile(part, found.number)
    }
    table.segments.onDamagedFile = (path, error) => files.damaged(path, error)
    if (!keeps) return
    table.sealer.onSealed = (segment) => {
      if (this.#isLoading) return
      this.#progress.sealed(kept, segment)
      this.#persister.packAhead()
    }
    if (packer !== undefined) table.sealer.sealsWords = (rows) => !this.#packsWords(packer, rows)
  }

  #restore(kept: Kept, entry: TableEntry): void {
    const { table } = kept
    const rowGroups = kept.files.open(entry, this.keepsSegments)
    for (const each of rowGroups) kept.rowGroups.set(each.segment, each)
    table.segments.add(rowGroups.map(({ segment }) => segment))
    kept.next = Math.max(0, ...entry.covered.values())
    table.writer.rows.skipBelow(entry.covered)
  }

  /** All of the log is read back: every row that comes is taken. */
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
      this.#timer = setInterval(() => this.keep(), RETENTION_CHECK_MS).unref()
    }
    this.keep()
  }

  /** Rows of a batch follow. */
  begin({ part, id }: LogMark, backend: string, table: string): void {
    if (part === 'samples') return this.#samples.begin()
    const kept = this.#keptOf(backend, table)
    const { rows } = kept.table.writer
    rows.nextSequence = this.#progress.begun(id, kept, rows.nextSequence)
  }

  /** The rows of a batch are stored. Throws SluiceError `durable/other-rows` as `RowProgress.ended` does. */
  end({ part, id }: LogMark, backend: string, table: string): void {
    if (part === 'samples') return this.#samples.end(id)
    const kept = this.#keptOf(backend, table)
    this.#progress.ended(id, kept, kept.table.writer.rows.nextSequence)
  }

  #keptOf(backend: string, table: string): Kept {
    return present(this.#tables.get(tableKey(backend, table)), 'a table of the folder')
  }

  /** The sender of a batch has been told that it is stored. */
  told({ part, id }: LogMark): void {
    if (part === 'samples') this.#samples.told(id)
    else this.#progress.acknowledged(id)
    this.keep()
  }

  /** Rows that come until the function is called that it gives are not in the log: they are not kept. */
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

  /** Whether words are made with the file: they wait for few segments only, and rows that get no file have them at once. */
  #packsWords(packer: SegmentPacker, rows: number): boolean {
    if (this.#isLoading || !packer.takes(rows)) return false
    // A start does not wait for words.
    return this.#progress.isReplaying || this.#progress.waitingSegments < SEGMENTS_WITHOUT_WORDS
  }

  /** What an operator wants to know of the folder. Bytes are those of files. */
  get figures(): FileFigures & Readonly<Turnover> & { readonly waitingSegments: number; readonly logBytes: number } {
    const { manifest, log } = this.#options
    const { waitingSegments } = this.#progress
    const logBytes = log.extent.bytes + log.extentOf('samples').bytes
    return { ...fileFigures(manifest.state), ...this.#turnover, waitingSegments, logBytes }
  }

  /** Resolves when more rows may come: at once, unless many segments wait for their files. */
  async room(): Promise<void> {
    while (this.#running !== undefined && this.#progress.waitingSegments > SEGMENTS_WAITING)
      await Promise.race([this.#running, this.#persister.nextNamed])
  }

  /** Writes what can be written. Nobody waits for it. */
  keep(): void {
    if (!this.keepsSegments || this.#progress.isReplaying || this.#isClosing) return
    this.#again = true
    this.#running ??= this.#run()
      .catch((error: unknown) => {
        this.#options.onFailure?.(error)
        this.#deletions.refuse(error)
      })
      .finally(() => (this.#running = undefined))
  }

  /** Memory is scarce: writes rows that it would wait for more to be written with. */
  relieve(): void {
    if (!this.keepsSegments || this.#running !== undefined) return
    for (const { table } of this.#tables.values()) table.tails.closeAll()
    this.#samples.want()
    this.keep()
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    while (this.#running !== undefined || this.#partMerger.ended !== undefined) {
      await this.#running
      await this.#partMerger.ended
    }
  }

  /** Writes what the next start would have to read back, where it is much, and waits for it. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#partMerger.stop()
    this.#timer = undefined
    if (this.keepsSegments && !this.#progress.isReplaying) {
      for (const { table } of this.#tables.values()) if (table.tails.rowCount >= CLOSING_ROWS) table.tails.closeAll()
      this.#samples.wantForClosing()
      this.keep()
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
      for (const { table } of this.#tables.values()) await inTurns(table.fields.indexDictionaries())
      // Tables are kept whatever becomes of samples.
      await this.#samples.keep(this.#timer === undefined).catch((error: unknown) => this.#options.onFailure?.(error))
      this.#expiry.closeIdleTails(this.#tables.values())
      this.#deletions.fillBefore()
      await this.#persister.persist()
      await this.#deletions.removeOldRemains()
      if (this.#deletions.areWaiting) await this.#partMerger.release()
      await this.#deletions.run()
      await this.#expiry.dropOverdue(this.#tables.values())
      if (this.#timer !== undefined && (await this.#rowMerger.run(this.#tables.values()))) this.#again = true
      this.#partMerger.keep(this.#tables.values(), this.#progress.waitingSegments > 0)
      await this.#shortenLog()
      this.#edits.removeLeft()
    }
  }

  /**
   * Deletes the rows of a table that `find` finds, those of every batch that was acknowledged before the call among them. Resolves
   * with their number when none of them is in the log, in a segment that the manifest names or in a dictionary: nothing brings
   * them back. Rejects where that cannot be done; then some of them may be gone, and none is there in part.
   */
  delete(backend: string, table: string, find: FindRows): Promise<number> {
    if (this.#isClosing || !this.keepsSegments)
      return Promise.reject(new SluiceError([durableDiagnostic('closed', {}, nowhere)]))
    const kept = this.#keptOf(backend, table)
    const deleted = this.#deletions.add(kept, find)
    this.keep()
    return deleted
  }

  /** The same for samples and exemplars of metrics; where it rejects, the files of the folder have all of theirs. */
  deleteSamples(backend: string, choice: SampleChoice): Promise<number> {
    if (this.#isClosing || !this.keepsSegments)
      return Promise.reject(new SluiceError([durableDiagnostic('closed', {}, nowhere)]))
    const deleted = this.#samples.delete(backend, choice)
    this.keep()
    return deleted
  }

  /** Takes out of the log what is not needed, or seals what keeps it from leaving. */
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
      await inTurns(table.sealer.sealFull())
    }
    this.#again ||= [...this.#tables.values()].some((kept) => this.#progress.ready(kept).length > 0)
  }
}
