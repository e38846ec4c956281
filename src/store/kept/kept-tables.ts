import { SluiceError, inTurns, nowhere, present } from '../../base/index.ts'
import {
  durableDiagnostic,
  makeFolder,
  tableKey,
  type BatchLogs,
  type Files,
  type LogMark,
  type Manifest,
  type ManifestEdit,
  type PartEntry,
  type TableEdit,
  type TableEntry,
} from '../durable/index.ts'
import type { MemoryTable, Segment } from '../memory/index.ts'
import type { SampleChoice } from '../samples/index.ts'
import { Aging } from './aging.ts'
import { BatchLedger } from './batch-ledger.ts'
import { backendFolder, checkBackends, removeStrays } from './folders.ts'
import { BlockCache, PooledFiles } from '../segments/index.ts'
import { Deletions, type FindRows } from './deletions.ts'
import type { FileReaders } from './file-readers.ts'
import { fileFigures, type FileFigures, type Turnover } from './figures.ts'
import { FolderEdits, type Kept } from './folder-edits.ts'
import { KeptSamples } from './samples/kept-samples.ts'
import { mergeable, merged, unreadable, type MergeSizes } from './merge.ts'
import { MergePace } from './merge-pace.ts'
import { PartMerger } from './part-merger.ts'
import { SAMPLES_TABLE, type KeptMetrics } from './samples/named-samples.ts'
import { overdue, type Retention } from './retention.ts'
import { PackedAhead, type SegmentPacker } from './segment-packer.ts'
import { TableFiles, type NamedRowGroup } from './table-files.ts'

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
/** How often what is too old is looked for, milliseconds. */
const RETENTION_MS = 60_000
/** So many segments at most get their words with their files; beyond that the thread that seals makes them. */
const SEGMENTS_WITHOUT_WORDS = 2
/** While more segments than these have no files yet, senders wait. */
const SEGMENTS_WAITING = 4

/** The edit by which row groups are gone: parts that have no others are removed. */
function retire(
  parts: readonly PartEntry[],
  gone: readonly NamedRowGroup[],
): { readonly remove: readonly string[]; readonly gone: Required<TableEdit>['gone'] } {
  const remove: string[] = []
  const masked: (readonly [string, readonly number[]])[] = []
  for (const part of parts) {
    const numbers = gone.filter(({ name }) => name === part.name).map(({ number }) => number)
    if (numbers.length === 0) continue
    const all = [...(part.gone ?? []), ...numbers]
    if (all.length === part.rowGroups.length) remove.push(part.name)
    else masked.push([part.name, all])
  }
  return { remove, gone: masked }
}

/** Behind the last row of a segment, in the order of ingestion. */
function endSequence({ sequenceBase, sequenceOffsets, rowCount }: Segment): number {
  if (sequenceOffsets === undefined) return sequenceBase + rowCount
  let last = 0
  for (const offset of sequenceOffsets) if (offset > last) last = offset
  return sequenceBase + last + 1
}

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
  readonly #ledger = new BatchLedger()
  readonly #pool: PooledFiles
  #retiredTo: number
  /** While rows come that are not in the log. */
  #isLoading = false
  readonly #edits: FolderEdits
  readonly #deletions: Deletions
  readonly #samples: KeptSamples
  #timer: NodeJS.Timeout | undefined
  /** Until the log is read back. */
  #isReading = true
  #running: Promise<void> | undefined
  /** Resolves when the next segment has its file. */
  #written = Promise.withResolvers<void>()
  #again = false
  #isClosing = false
  /** Names of parts that cannot be read. */
  readonly #unmergeable = new Set<string>()
  readonly #pace = new MergePace()
  readonly #merger: PartMerger
  readonly #turnover: Turnover = { mergedSegments: 0, expiredSegments: 0 }

  constructor(options: KeptTablesOptions) {
    const { manifest, files, folder, tables, keeps, cacheBytes } = options
    this.#options = options
    this.keepsSegments = keeps
    this.#retiredTo = manifest.state.retiredTo
    const backends = new Set(tables.map(({ backend }) => backend))
    checkBackends(manifest.state, backends)
    this.#pool = options.pool ?? new PooledFiles(files)
    const pool = this.#pool
    const cache = new BlockCache(cacheBytes)
    const { log, nowNs, onChange, packer, readers } = options
    const onDue = (): void => this.keep()
    const inFolder = { files, folder, manifest, pool }
    const edits = new FolderEdits({ ...inFolder, nowNs, readers, onDue, onChange })
    this.#edits = edits
    this.#deletions = new Deletions({ manifest, log, tables: this.#tables, edits, retiredTo: () => this.#retiredTo })
    const onFailure = (error: unknown): void => options.onFailure?.(error)
    const wake = (): void => this.keep()
    this.#merger = new PartMerger({ edits, sizes: options.mergeSizes, onFailure, wake })
    const { metrics, retention, logBytes = LOG_BYTES } = options
    const shared = { ...inFolder, log, cache, edits, keeps, retention, nowNs, turnover: this.#turnover }
    this.#samples = new KeptSamples({ ...shared, metrics, logBytes, onFailure })
    const inTable = { files, pool, cache, packing: new PackedAhead(packer), onMended: onFailure }
    for (const { backend, table } of tables) {
      // Rows of this one are samples, which are kept apart.
      if (table.definition.name === SAMPLES_TABLE) continue
      const key = tableKey(backend, table.definition.name)
      const entry = manifest.state.tables.get(key)
      const kept: Kept = {
        key,
        backend,
        table,
        files: new TableFiles({ ...inTable, folder: backendFolder(folder, backend), table }),
        waiting: [],
        rowGroups: new Map(),
        next: 0,
        aging: new Aging(),
      }
      this.#tables.set(key, kept)
      if (entry !== undefined) this.#restore(kept, entry)
      table.segments.storedAt = (segment) => {
        const found = kept.rowGroups.get(segment)
        const part = found && this.#edits.parts(kept).find(({ name }) => name === found.name)
        return found && part && kept.files.storedFile(part, found.number)
      }
      table.segments.onDamagedFile = (path, error) => kept.files.damaged(path, error)
      if (!keeps) continue
      table.sealer.onSealed = (segment) => this.#sealed(kept, segment)
      if (packer !== undefined) table.sealer.sealsWords = (rows) => !this.#packsWords(packer, rows)
    }
    if (keeps) removeStrays(files, folder, manifest.state, backends)
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
      table.writer.rows.skipBelow(undefined)
      table.writer.rows.nextSequence = Math.max(next, table.writer.rows.nextSequence)
    }
    this.#isReading = false
    this.#samples.readBack()
    if (this.keepsSegments) this.#merger.start()
    if (this.keepsSegments) this.#timer = setInterval(() => this.keep(), RETENTION_MS).unref()
    this.keep()
  }

  begin({ part, id }: LogMark, backend: string, table: string): void {
    if (part === 'samples') return this.#samples.begin()
    const kept = this.#keptOf(backend, table)
    const numbers = this.#isReading ? this.#options.manifest.state.batches.get(id) : undefined
    if (this.#isReading)
      kept.table.writer.rows.nextSequence = numbers?.first ?? Math.max(kept.next, kept.table.writer.rows.nextSequence)
    this.#ledger.begin(id, kept.key, kept.table.writer.rows.nextSequence, numbers !== undefined)
  }

  /** Throws SluiceError `durable/other-rows` for a batch that is read back, has rows in segments, and is another now. */
  end({ part, id }: LogMark, backend: string, table: string): void {
    if (part === 'samples') return this.#samples.end(id)
    const kept = this.#keptOf(backend, table)
    const end = kept.table.writer.rows.nextSequence
    const numbers = this.#isReading ? this.#options.manifest.state.batches.get(id) : undefined
    if (numbers !== undefined && numbers.end !== end) {
      const { first } = numbers
      const counts = { stored: numbers.end - first, read: end - first }
      throw new SluiceError([durableDiagnostic('other-rows', { id, table, ...counts }, nowhere)])
    }
    if (end > kept.next) kept.next = end
    this.#ledger.end(id, end)
  }

  #keptOf(backend: string, table: string): Kept {
    return present(this.#tables.get(tableKey(backend, table)), 'a table of the folder')
  }

  told({ part, id }: LogMark): void {
    if (part === 'samples') this.#samples.told(id)
    else this.#ledger.told(id)
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
    return this.#isReading || this.#waitingSegments < SEGMENTS_WITHOUT_WORDS
  }

  /** What an operator wants to know of the folder. Bytes are those of files. */
  get figures(): FileFigures & Readonly<Turnover> & { readonly waitingSegments: number; readonly logBytes: number } {
    const { manifest, log } = this.#options
    const logBytes = log.extent.bytes + log.extentOf('samples').bytes
    return { ...fileFigures(manifest.state), ...this.#turnover, waitingSegments: this.#waitingSegments, logBytes }
  }

  get #waitingSegments(): number {
    let count = 0
    for (const { waiting } of this.#tables.values()) count += waiting.length
    return count
  }

  /** Resolves when more rows may come: at once, unless many segments wait for their files. */
  async room(): Promise<void> {
    while (this.#running !== undefined && this.#waitingSegments > SEGMENTS_WAITING)
      await Promise.race([this.#running, this.#written.promise])
  }

  #sealed(kept: Kept, segment: Segment): void {
    if (this.#isLoading) return
    kept.waiting.push(segment)
    this.#packAhead()
  }

  /** Has files of the next segments made while others are written. */
  #packAhead(): void {
    if (this.#isReading) return
    for (const { files, waiting } of this.#tables.values())
      for (const segment of waiting) if (!files.packAhead(segment)) return
  }

  /** Writes what can be written. Nobody waits for it. */
  keep(): void {
    if (!this.keepsSegments || this.#isReading || this.#isClosing) return
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
    while (this.#running !== undefined || this.#merger.ended !== undefined) {
      await this.#running
      await this.#merger.ended
    }
  }

  /** Writes what the next start would have to read back, where it is much, and waits for it. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#merger.stop()
    this.#timer = undefined
    if (this.keepsSegments && !this.#isReading) {
      for (const { table } of this.#tables.values()) if (table.tails.rowCount >= CLOSING_ROWS) table.tails.closeAll()
      this.#samples.wantForClosing()
      this.keep()
    }
    await this.settled()
    this.#isClosing = true
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
      this.#fillAging()
      this.#deletions.fillBefore()
      await this.#keepSealed()
      await this.#deletions.removeOldRemains()
      if (this.#deletions.areWaiting) await this.#merger.release()
      await this.#deletions.run()
      await this.#dropOverdue()
      await this.#mergeSmall()
      this.#merger.keep(this.#tables.values(), this.#waitingSegments > 0)
      await this.#shortenLog()
      this.#edits.removeLeft()
    }
  }

  #fillAging(): void {
    const { retention, nowNs } = this.#options
    if (retention === undefined) return
    for (const kept of this.#tables.values()) {
      const age = retention.ageNs.get(kept.table.definition.name)
      if (age !== undefined) kept.aging.look(kept.table.tails, age, nowNs())
    }
  }

  async #mergeSmall(): Promise<void> {
    if (!this.#pace.isTime || this.#timer === undefined) return
    for (const kept of this.#tables.values()) {
      const parts = this.#edits
        .parts(kept)
        .filter(({ name, rowGroups }) => rowGroups.length === 1 && !this.#unmergeable.has(name))
      const names = new Set(parts.map(({ name }) => name))
      const small = mergeable([...kept.rowGroups.values()].filter(({ name }) => names.has(name)))
      if (small.length === 0) continue
      const chosen = new Set(small.map(({ name }) => name))
      await this.#pace.run(() =>
        this.#merge(
          kept,
          parts.filter(({ name }) => chosen.has(name)),
          small.map(({ segment }) => segment),
        ),
      )
      return
    }
  }

  async #merge(kept: Kept, parts: readonly PartEntry[], small: readonly Segment[]): Promise<void> {
    try {
      await this.#edits.replace(kept, parts, {
        without: new Set(small),
        by: [await inTurns(merged(kept.table, small))],
      })
      this.#turnover.mergedSegments += small.length
    } catch (error) {
      // Others are merged without one that is damaged.
      const damaged = await inTurns(unreadable(small))
      for (const segment of damaged.length > 0 ? damaged : small)
        this.#unmergeable.add(present(kept.rowGroups.get(segment)).name)
      this.#again ||= damaged.length > 0
      this.#options.onFailure?.(error)
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

  async #dropOverdue(): Promise<void> {
    const { retention, manifest, nowNs } = this.#options
    if (retention === undefined) return
    if (overdue(manifest.state, retention, nowNs()).length === 0) return
    await this.#merger.release()
    const tooOld = new Set(overdue(manifest.state, retention, nowNs()).map(({ name, number }) => `${name} ${number}`))
    const edits: TableEdit[] = []
    const left: (() => void)[] = []
    for (const kept of this.#tables.values()) {
      const gone = [...kept.rowGroups.values()].filter(({ name, number }) => tooOld.has(`${name} ${number}`))
      if (gone.length === 0) continue
      const { backend, table } = kept
      const edit = retire(this.#edits.parts(kept), gone)
      edits.push({ backend, table: table.definition.name, ...edit })
      left.push(() => {
        table.segments.replace(new Set(gone.map(({ segment }) => segment)), [])
        for (const { segment } of gone) kept.rowGroups.delete(segment)
        this.#edits.leave(backend, edit.remove)
        this.#turnover.expiredSegments += gone.length
      })
    }
    if (edits.length === 0) return
    await manifest.commit({ tables: edits })
    for (const each of left) each()
    this.#options.onChange?.()
  }

  /** Segments whose rows nobody takes back, oldest first. */
  #ready(kept: Kept): readonly Segment[] {
    if (kept.waiting.length === 0) return []
    const before = this.#ledger.toldBefore(kept.key)
    const end = kept.waiting.findIndex((segment) => endSequence(segment) > before)
    return end === -1 ? kept.waiting.slice() : kept.waiting.slice(0, end)
  }

  async #keepSealed(): Promise<void> {
    for (const kept of this.#tables.values()) {
      // What a replay has left full.
      await inTurns(kept.table.sealer.sealFull())
      for (const segment of this.#ready(kept)) {
        if (this.#isClosing) return
        await this.#keepOne(kept, segment)
      }
    }
  }

  async #keepOne(kept: Kept, segment: Segment): Promise<void> {
    const { files, folder, manifest } = this.#options
    const { backend, table } = kept
    makeFolder(files, backendFolder(folder, backend))
    this.#packAhead()
    const edits = this.#edits
    const written = await kept.files.write(segment, edits.nextFile++)
    const entry = edits.entryOf(written)
    const end = endSequence(segment)
    const tableEdit: TableEdit = {
      backend,
      table: table.definition.name,
      covered: [[segment.epoch, end]],
      add: [entry],
      dictionaries: written.dictionaries,
    }
    kept.waiting.shift()
    const behind = this.#batchesBehind(kept.key, end)
    const edit: ManifestEdit = { nextFile: edits.nextFile, tables: [tableEdit], ...behind }
    try {
      await manifest.commit(edit)
    } catch (error) {
      kept.waiting.unshift(segment)
      throw error
    }
    written.named()
    this.#merger.named()
    this.#retire(edit)
    table.segments.replace(
      new Set([segment]),
      edits.open(kept, entry, () => segment.id),
    )
    this.#written.resolve()
    this.#written = Promise.withResolvers<void>()
    this.#options.onChange?.()
  }

  /** The batches that need not be read any more once the manifest covers more rows, and the numbers of those that are needed for others. */
  #batchesBehind(key: string, covered: number): Pick<ManifestEdit, 'retiredTo' | 'batches'> {
    const retiredTo = this.#ledger.retirable((each, end) => end <= this.#keptBefore(each)) ?? this.#retiredTo
    const numbers = [...this.#ledger.unnumbered(key, covered)].filter(([id]) => id > retiredTo)
    return { retiredTo, batches: numbers.map(([id, { first, end }]) => [id, first, end] as const) }
  }

  /** Rows of a table before this one lie in segments that are named, or are about to be. */
  #keptBefore(key: string): number {
    const kept = this.#tables.get(key)
    if (kept === undefined) return 0
    const { table, waiting } = kept
    const unsealed = table.tails.firstSequence ?? Infinity
    return waiting.reduce((first, { sequenceBase }) => Math.min(first, sequenceBase), unsealed)
  }

  #retire({ retiredTo = this.#retiredTo, batches = [] }: ManifestEdit): void {
    this.#ledger.numbered(new Set(batches.map(([id]) => id)))
    this.#retiredTo = retiredTo
    this.#ledger.retire(retiredTo)
  }

  /** Takes out of the log what is not needed, or seals what keeps it from leaving. */
  async #shortenLog(): Promise<void> {
    const { log, logBytes = LOG_BYTES } = this.#options
    const { startId, lastId, replayBytes } = log.extent
    if (replayBytes < logBytes) return
    if (this.#retiredTo - startId >= (lastId - startId) / 2) return log.leave(this.#retiredTo)
    const middle = this.#ledger.middle()
    if (middle === undefined) return
    for (const { key, table } of this.#tables.values()) {
      table.tails.closeBefore(this.#ledger.firstBehind(middle, key) ?? Infinity)
      await inTurns(table.sealer.sealFull())
    }
    this.#again ||= [...this.#tables.values()].some((kept) => this.#ready(kept).length > 0)
  }
}
