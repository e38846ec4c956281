import {
  ITEMS_PER_CHECKPOINT,
  MAX_NS,
  MIN_NS,
  atOnce,
  clampNs,
  invariant,
  type Interval,
  type SluiceError,
  type Turns,
} from '../../base/index.ts'
import { JsonText, toText, type RecordBatch, type Row, type Value } from '../../data/index.ts'
import type {
  Estimate,
  FilterGrade,
  KnownFields,
  RecordTableDefinition,
  ScanResult,
  TableStatistics,
} from '../../plan/index.ts'
import { jsonText } from '../record.ts'
import type { RecordOptions } from '../record-options.ts'
import { placingOf } from '../shapes/index.ts'
import type { GrowingDictionary, StoredDictionary } from './dictionary/dictionary.ts'
import { FieldState } from './field-state.ts'
import { JsonLineAppender, type AppendReport, type JsonLinesOptions } from './intake/json-lines.ts'
import type { ScanOptions } from './intake/scan-options.ts'
import type { ScannedLines } from './lines/scanned-lines.ts'
import { OTHER_FIELDS, hasJsonForm, otherFieldsOf, reservedFields } from './other-fields.ts'
import { knownFieldsOf, rowsInRange, soonKnownFields } from './known-fields.ts'
import { batchesAsStored, batchesNewestFirst } from './scan-segments.ts'
import { sealInTurns, sealTail, withWords, type SealOptions } from './seal.ts'
import { SentRowAppender } from './intake/sent-rows.ts'
import { epochStartNs, epochTimeOf, type EpochTime, type Segment } from './segment.ts'
import type { SegmentTable } from './segment-table.ts'
import type { StoredFile } from './replica/table-news.ts'
import { spareBytes } from './spare-column.ts'
import { Tail } from './tail.ts'
import type { WordIndex } from './words/word-index.ts'
import { WordIndexBuilder } from './words/word-index-builder.ts'

/** Unsealed rows that get a segment of their own for queries. */
const SNAPSHOT_ROWS = 2048

/** Names that get a column in one table; those of reserved fields may add to them. */
const MAX_FIELDS = 16_384

/** Readers of lines that a table keeps, each with a few megabytes once it has met large inputs. */
const MAX_READERS = 8

/** A row to be stored; without a `sequence` it gets the next one. The table's time field in `row` is not looked at. */
export interface NewRow {
  readonly timeNs: bigint
  readonly row: Row
  readonly sequence?: number
}

export interface MemoryTableUsage {
  readonly rows: number
  /** Rows not sealed yet. */
  readonly tailRows: number
  readonly segments: number
  /** Columns, indexes and dictionaries; unsealed rows included. */
  readonly memoryBytes: number
  readonly indexBytes: number
  readonly dictionaryBytes: number
  readonly minTimeNs: bigint | undefined
  readonly maxTimeNs: bigint | undefined
}

/** What is known of the rows that a query reads. */
export interface KeptRows {
  readonly words?: ReadonlyMap<string, readonly string[]> | undefined
  readonly range?: Interval | undefined
}

export interface MemoryTableOptions {
  /** Keep only these fields; others are passed over as they come. For one-off queries that know what they read. */
  readonly keptFields?: ReadonlySet<string> | undefined
  /** Rows without these folded words, by field, or outside this time range may be left out. For one-off queries. */
  readonly keptRows?: KeptRows | undefined
  /** A field that gets the places of scanned lines as numbers. */
  readonly placeField?: string | undefined
  /** For one query: no word index, no rows by code, and codes only where values come again and again. */
  readonly isReadOnce?: boolean | undefined
  /** Whether fields may be kept as codes of a dictionary; `true` unless given. Without, values are kept plain. */
  readonly hasCodes?: boolean | undefined
  /** Names that get a column; 16,384 unless given. Later ones share `_other_fields`, but for reserved fields. */
  readonly mostFields?: number | undefined
}

/**
 * One table in memory: sealed segments and, per epoch, a tail of rows that are searchable but not sealed. Engines that
 * know segments read those; its scans give all rows and fields in order.
 */
export class MemoryTable implements SegmentTable {
  readonly definition: RecordTableDefinition
  readonly #fields = new Map<string, FieldState>()
  readonly #mostFields: number
  readonly #reserved: Set<string>
  /** What the row that is being added has in fields beyond the limit. */
  readonly #others = new Map<string, Value>()
  /** A new list with each change: what readers found out about one holds for good. */
  #sealed: readonly Segment[] = []
  readonly #tails = new Map<number, Tail>()
  /** Tails that take no more rows and are not sealed yet, oldest first. */
  readonly #full: Tail[] = []
  readonly #snapshots = new Map<Tail, { readonly version: number; readonly segment: Segment }>()
  /** One that nobody uses now. */
  #idleBuilder: WordIndexBuilder | undefined
  #sealsLater = false
  #sealing: Turns<void> | undefined
  readonly #keptFields: ReadonlySet<string> | undefined
  readonly #passedOver = new Set<string>()
  readonly #hasCodes: boolean
  readonly #isReadOnce: boolean
  readonly keptRange: Interval | undefined
  readonly scanOptions: ScanOptions
  readonly #placeField: FieldState | undefined
  place = 0
  /** Becomes `_file` of the rows that follow. */
  rowOrigin: string | undefined
  /** By the options that lines are read with. */
  readonly #json = new Map<string, JsonLineAppender>()
  readonly #sent = new Map<string, SentRowAppender>()
  #nextSequence = 0
  #nextSegment = 0
  #defersWords = false
  #version = 0
  /** All rows, as long as no more come. */
  #latest: readonly Segment[] | undefined
  /** Sealed segments that have no word index yet. */
  readonly #withoutWords: Segment[] = []
  /** By epoch: rows of lower numbers are there already, and are not taken again. */
  #covered: ReadonlyMap<number, number> | undefined
  /** Takes the rows that are passed over. */
  #passed: Tail | undefined
  /** Where a sealed segment lies that readers in other threads are to read from its file. */
  storedAt: ((segment: Segment) => StoredFile | undefined) | undefined
  /** Whether a segment of so many rows gets its word index when it is sealed; otherwise it comes with its file. */
  sealsWords: (rows: number) => boolean = () => true
  /** What sealed rows leave to later ones, bytes of memory that is taken and not used. */
  mostSpareBytes = 0
  /** Told of a file that a reader in another thread finds damaged, which costs no answer. */
  onDamagedFile: ((path: string, error: SluiceError) => void) | undefined
  /** Told of each segment that is sealed. */
  onSealed: ((segment: Segment) => void) | undefined

  constructor(definition: RecordTableDefinition, options: MemoryTableOptions = {}) {
    this.definition = definition
    this.#keptFields = options.keptFields
    this.#isReadOnce = options.isReadOnce === true
    this.#hasCodes = options.hasCodes ?? true
    this.#mostFields = options.mostFields ?? MAX_FIELDS
    this.#reserved = reservedFields(definition)
    this.keptRange = options.keptRows?.range
    this.scanOptions = {
      placing: placingOf(definition),
      keptFields: options.keptFields,
      words: options.keptRows?.words,
    }
    const { placeField } = options
    if (placeField !== undefined) {
      this.#placeField = new FieldState(placeField, false)
      this.#fields.set(placeField, this.#placeField)
    }
  }

  /** Another one whenever there is another snapshot. */
  get version(): number {
    return this.#version
  }

  #change(): void {
    this.#version++
    this.#latest = undefined
  }

  /** Rows in order of ingestion. */
  appendRows(rows: Iterable<NewRow>): void {
    const { timeField } = this.definition
    for (const { timeNs, row, sequence } of rows) {
      const tail = this.beginRow(clampNs(timeNs), sequence)
      for (const [name, value] of row) if (name !== timeField) this.addValue(tail, name, value)
      this.endRow(tail)
    }
  }

  /** JSON objects, one a line; a line that cannot be read is counted and told, and the others go on. */
  appendJsonLines(bytes: Uint8Array, options: JsonLinesOptions): AppendReport {
    return this.#jsonWith(options.options).append(bytes, options)
  }

  /** What a scanner of lines for this table has to know. */
  scanOptionsWith(options: RecordOptions | undefined): ScanOptions {
    return this.#jsonWith(options).scanOptions
  }

  /** The same for lines that a scanner with `scanOptionsWith` the same options has read. */
  appendScanned(lines: ScannedLines, options: JsonLinesOptions): AppendReport {
    return this.#jsonWith(options.options).appendScanned(lines, options)
  }

  /** What stores rows of bodies that are read with these options. */
  sentRowsWith(options: RecordOptions | undefined): SentRowAppender {
    return readerWith(this.#sent, options, () => new SentRowAppender(this, options))
  }

  #jsonWith(options: RecordOptions | undefined): JsonLineAppender {
    return readerWith(this.#json, options, () => new JsonLineAppender(this, options))
  }

  /** Turns all rows that are not sealed yet into segments, and lets go of what reading and sealing needed. */
  seal(): void {
    for (const tail of this.#tails.values()) this.#fill(tail)
    atOnce(this.sealFull())
    // Working memory of megabytes, which nothing needs until more rows come.
    this.#json.clear()
    this.#idleBuilder = undefined
  }

  /** Runs work that adds rows; what it fills waits for `sealFull`. */
  sealingLater<T>(work: () => T): T {
    this.#sealsLater = true
    try {
      return work()
    } finally {
      this.#sealsLater = false
    }
  }

  /** Seals what is full; its rows are there for queries all the time. Another call meanwhile goes on with what this one began. */
  *sealFull(): Turns<void> {
    for (;;) {
      const [tail] = this.#full
      if (tail === undefined) return
      this.#sealing ??= this.#sealNext(tail)
      if (this.#sealing.next().done === true) this.#sealing = undefined
      yield
    }
  }

  /** An empty table with the dictionaries of this one: what it seals has the same codes. */
  beside(): MemoryTable {
    const made = new MemoryTable(this.definition, { mostFields: this.#mostFields })
    for (const [name, state] of this.#fields) made.#fields.set(name, state)
    return made
  }

  /** Rows that are not sealed yet. */
  get unsealedRows(): number {
    return this.#unsealed().reduce((sum, { rowCount }) => sum + rowCount, 0)
  }

  /** How many tails take no more rows and are not sealed yet. */
  get fullTails(): number {
    return this.#full.length
  }

  /** Segments sealed from here on get their word index by `indexWords`: searches give the same rows, only slower. */
  deferWords(): void {
    this.#defersWords = true
  }

  /**
   * Makes the word index of one segment that lacks it; false when there was none to make. Segments sealed from here on
   * get theirs at once again.
   */
  *indexWords(): Turns<boolean> {
    this.#defersWords = false
    const segment = this.#withoutWords.pop()
    if (segment === undefined || this.#isReadOnce) return false
    this.replaceSealed(new Set([segment]), [yield* this.#withWords(segment)])
    return true
  }

  /** The word index of a sealed segment, made elsewhere; it is dropped where the segment has gone. */
  giveWords(segment: Segment, words: WordIndex): void {
    if (!this.#sealed.includes(segment)) return
    const memoryBytes = segment.memoryBytes + words.memoryBytes
    this.replaceSealed(new Set([segment]), [{ ...segment, words, memoryBytes }])
  }

  /** Names of its fields, stored ones included. */
  fieldNames(): Iterable<string> {
    return this.#fields.keys()
  }

  /** The dictionaries of its fields, by field, but those that are stored and nobody has needed: none of these has grown. */
  *dictionaries(): Generator<readonly [string, GrowingDictionary]> {
    for (const { name, dictionaryInMemory } of this.#fields.values())
      if (dictionaryInMemory !== undefined) yield [name, dictionaryInMemory]
  }

  /** Has the values of dictionaries that were read back found by their hashes; whoever puts rows in waits for that otherwise. */
  *indexDictionaries(): Turns<void> {
    for (const [, dictionary] of this.dictionaries()) while (!dictionary.index(ITEMS_PER_CHECKPOINT)) yield
  }

  /** The dictionary of a field, which begins with that. */
  dictionary(field: string): GrowingDictionary {
    return this.field(field).dictionary
  }

  /** Dictionaries that are stored; to be called before anything is added. Without `storesRows` none of its rows will be. */
  restoreDictionaries(dictionaries: Iterable<readonly [string, StoredDictionary]>, storesRows = true): void {
    for (const [name, stored] of dictionaries) this.field(name).restore(stored, storesRows)
  }

  /** Segments that no tail was sealed into, whose codes are those of this table's dictionaries. */
  addSealed(segments: Iterable<Segment>): void {
    const added = [...segments]
    this.#sealed = [...this.#sealed, ...added]
    for (const segment of added) {
      this.#nextSegment = Math.max(this.#nextSegment, segment.id + 1)
    }
    this.#change()
  }

  /** Sealed segments take the place of others that have the same rows; without `by` the rows are gone. Queries that have them read on. */
  replaceSealed(old: ReadonlySet<Segment>, by: readonly Segment[]): void {
    const first = this.#sealed.findIndex((segment) => old.has(segment))
    invariant(first !== -1, 'a sealed segment')
    this.#sealed = this.#sealed.filter((segment) => !old.has(segment)).toSpliced(first, 0, ...by)
    this.#change()
  }

  /** Segments that take no more rows, tails left out; the list stays as it is. */
  sealedSegments(): readonly Segment[] {
    return this.#sealed
  }

  /** The number that the next row gets. */
  get nextSequence(): number {
    return this.#nextSequence
  }

  /** Rows count from here on. */
  continueFrom(sequence: number): void {
    this.#nextSequence = sequence
  }

  /** Rows that come from here on are counted, but taken only when their epoch does not cover them; `undefined` takes all again. */
  passOver(covered: ReadonlyMap<number, number> | undefined): void {
    this.#covered = covered
    this.#passed = undefined
  }

  /** The number of the first row that is not sealed; `undefined` where all are. */
  unsealedFrom(): number | undefined {
    let first: number | undefined
    for (const tail of this.#unsealed())
      if (tail.rowCount > 0 && (first === undefined || tail.sequences[0] < first)) [first] = tail.sequences
    return first
  }

  /** Lets tails take no more rows that hold some of before a number, so that `sealFull` seals them. */
  fillBefore(sequence: number): void {
    for (const tail of this.#tails.values()) if (tail.rowCount > 0 && tail.sequences[0] < sequence) this.#fill(tail)
  }

  segments(): readonly Segment[] {
    return this.snapshot()
  }

  grade(): FilterGrade {
    return 'none'
  }

  scan(): ScanResult {
    return { applied: { order: true }, batches: batchesNewestFirst(this.snapshot()) }
  }

  /** All rows in the order in which they were stored. */
  batchesAsStored(): Iterable<RecordBatch> {
    return batchesAsStored(this.snapshot())
  }

  rowsIn(range: Interval): number {
    return rowsInRange(this.snapshot(), range)
  }

  knownFields(): KnownFields {
    return soonKnownFields(this.snapshot(), this.definition)
  }

  stats(): TableStatistics {
    const { rows, minTimeNs, maxTimeNs } = this.usage()
    const exact = <T>(value: T): Estimate<T> => ({ value, source: 'exact' })
    return {
      rows: exact(rows),
      ...(minTimeNs === undefined ? {} : { minTimeNs: exact(minTimeNs) }),
      ...(maxTimeNs === undefined ? {} : { maxTimeNs: exact(maxTimeNs) }),
    }
  }

  /** All rows as segments, to be read while the table goes on growing; the same list as long as `version` is the same. */
  snapshot(): readonly Segment[] {
    return (this.#latest ??= this.#snapshot())
  }

  #snapshot(): readonly Segment[] {
    const segments = [...this.#sealed]
    for (const tail of this.#unsealed()) {
      // After a start many rows may be read before they are sealed, which need not be made twice.
      if (tail.snapshotRows === 0 && this.#full.includes(tail)) tail.sealed ??= sealTail(tail, this.#sealOptions(0))
      if (tail.sealed !== undefined) {
        segments.push(tail.sealed)
        continue
      }
      this.#extendSnapshot(tail)
      segments.push(...tail.snapshots)
      if (tail.rowCount === tail.snapshotRows) continue
      let known = this.#snapshots.get(tail)
      if (known === undefined || known.version !== tail.version) {
        known = { version: tail.version, segment: this.#snapshotOf(tail) }
        this.#snapshots.set(tail, known)
      }
      segments.push(known.segment)
    }
    return segments
  }

  /** Once enough rows have come, they get a segment that stays until the tail is sealed: a query pays for new rows only. */
  #extendSnapshot(tail: Tail): void {
    if (tail.rowCount - tail.snapshotRows < SNAPSHOT_ROWS) return
    tail.snapshots.push(this.#snapshotOf(tail))
    tail.snapshotRows = tail.rowCount
  }

  #snapshotOf(tail: Tail): Segment {
    return sealTail(tail, this.#sealOptions(tail.snapshotRows))
  }

  #sealOptions(fromRow: number): SealOptions {
    const { timeField, textField } = this.definition
    return { id: this.#nextSegment++, timeField, textField, fromRow, isReadOnce: this.#isReadOnce }
  }

  /** Bytes of segments, tails and dictionaries; what is read from files is counted by their caches. */
  get memoryBytes(): number {
    let bytes = 0
    for (const { memoryBytes } of this.#sealed) bytes += memoryBytes
    for (const tail of this.#unsealed()) bytes += tail.memoryBytes
    return bytes + this.dictionaryBytes + this.#spareBytes
  }

  /** What of it stays when rows leave. */
  get dictionaryBytes(): number {
    let bytes = 0
    for (const [, dictionary] of this.dictionaries()) bytes += dictionary.memoryBytes
    return bytes
  }

  get #spareBytes(): number {
    let bytes = 0
    for (const { spare } of this.#fields.values()) if (spare !== undefined) bytes += spareBytes(spare)
    return bytes
  }

  /** Lets go of memory that waits for rows to come. */
  dropSpare(): void {
    for (const field of this.#fields.values()) field.spare = undefined
  }

  usage(): MemoryTableUsage {
    let rows = 0
    let memoryBytes = 0
    let indexBytes = 0
    let min = MAX_NS
    let max = MIN_NS
    const see = (first: bigint, last: bigint): void => {
      if (first < min) min = first
      if (last > max) max = last
    }
    for (const segment of this.#sealed) {
      rows += segment.rowCount
      memoryBytes += segment.memoryBytes
      indexBytes += segment.words?.memoryBytes ?? 0
      const start = epochStartNs(segment.epoch)
      see(start + BigInt(segment.firstDelta), start + BigInt(segment.lastDelta))
    }
    let tailRows = 0
    for (const tail of this.#unsealed()) {
      tailRows += tail.rowCount
      memoryBytes += tail.memoryBytes
      const start = epochStartNs(tail.epoch)
      for (let i = 0; i < tail.rowCount; i++) see(start + BigInt(tail.deltas[i]), start + BigInt(tail.deltas[i]))
    }
    const { dictionaryBytes } = this
    const isEmpty = rows + tailRows === 0
    return {
      rows: rows + tailRows,
      tailRows,
      segments: this.#sealed.length,
      memoryBytes: memoryBytes + dictionaryBytes + this.#spareBytes,
      indexBytes,
      dictionaryBytes,
      minTimeNs: isEmpty ? undefined : min,
      maxTimeNs: isEmpty ? undefined : max,
    }
  }

  /** Starts a row; its values follow, then `endRow`. For readers that know the fields one by one. */
  beginRow(timeNs: bigint, sequence?: number): Tail {
    return this.beginRowAt(epochTimeOf(timeNs), sequence)
  }

  beginRowAt({ epoch, delta }: EpochTime, sequence = this.#nextSequence): Tail {
    let tail = sequence < (this.#covered?.get(epoch) ?? 0) ? (this.#passed ??= new Tail(epoch)) : this.#tails.get(epoch)
    if (tail === undefined) {
      tail = new Tail(epoch)
      this.#tails.set(epoch, tail)
    }
    tail.begin(delta, sequence)
    if (this.#placeField !== undefined) tail.builder(this.#placeField).addNumber(tail.rowCount, this.place)
    if (sequence >= this.#nextSequence) this.#nextSequence = sequence + 1
    return tail
  }

  addValue(tail: Tail, name: string, value: Value): void {
    if (value === null || !this.keeps(name)) return
    if (this.hasColumn(name)) tail.builder(this.field(name)).add(tail.rowCount, value)
    else if (name === OTHER_FIELDS && value instanceof JsonText)
      for (const [other, member] of otherFieldsOf(value)) this.#others.set(other, member)
    else this.#others.set(name, hasJsonForm(value) ? value : toText(value))
  }

  hasColumn(name: string): boolean {
    if (name === OTHER_FIELDS) return false
    return this.#fields.size < this.#mostFields || this.#fields.has(name) || this.#reserved.has(name)
  }

  endRow(tail: Tail): void {
    if (this.rowOrigin !== undefined) this.addValue(tail, '_file', this.rowOrigin)
    if (this.#others.size > 0) {
      tail.builder(this.field(OTHER_FIELDS)).add(tail.rowCount, jsonText(Object.fromEntries(this.#others)))
      this.#others.clear()
    }
    tail.rowCount++
    tail.version++
    this.#change()
    if (!tail.isFull) return
    if (tail === this.#passed) {
      this.#passed = undefined
      return
    }
    this.#fill(tail)
    if (!this.#sealsLater) atOnce(this.sealFull())
  }

  skipRow(): void {
    this.#nextSequence++
  }

  keeps(name: string): boolean {
    if (this.#keptFields === undefined || this.#keptFields.has(name)) return true
    if (this.#passedOver.size < MAX_FIELDS) this.#passedOver.add(name)
    return false
  }

  /** Fields of rows that were added, kept or passed over. */
  namesMet(): Iterable<string> {
    return [...this.#passedOver, ...knownFieldsOf(this.snapshot(), this.definition).fields().keys()]
  }

  field(name: string): FieldState {
    const known = this.#fields.get(name)
    if (known !== undefined) return known
    const made = new FieldState(name, this.#hasCodes && name !== this.definition.textField, this.#isReadOnce)
    this.#fields.set(name, made)
    return made
  }

  #unsealed(): readonly Tail[] {
    return [...this.#full, ...this.#tails.values()]
  }

  /** No more rows come to it. */
  #fill(tail: Tail): void {
    this.#tails.delete(tail.epoch)
    if (tail.rowCount > 0) this.#full.push(tail)
  }

  *#sealNext(tail: Tail): Turns<void> {
    const isForLater = this.#defersWords
    const defersWords = isForLater || !this.sealsWords(tail.rowCount)
    // Words take longest: queries that come meanwhile read the rest of it.
    tail.sealed ??= yield* sealInTurns(tail, this.#sealOptions(0))
    const segment = defersWords || this.#isReadOnce ? tail.sealed : yield* this.#withWords(tail.sealed)
    this.#full.shift()
    this.#snapshots.delete(tail)
    tail.handOver(this.mostSpareBytes)
    this.#change()
    if (isForLater) this.#withoutWords.push(segment)
    this.#sealed = [...this.#sealed, segment]
    this.onSealed?.(segment)
  }

  *#withWords(segment: Segment): Turns<Segment> {
    // Its working memory is used again, by one at a time.
    const builder = this.#idleBuilder ?? new WordIndexBuilder()
    this.#idleBuilder = undefined
    const indexed = yield* withWords(segment, builder)
    this.#idleBuilder = builder
    return indexed
  }
}

function readerWith<T>(readers: Map<string, T>, options: RecordOptions | undefined, make: () => T): T {
  const key = options === undefined ? '' : JSON.stringify(options)
  const known = readers.get(key)
  if (known !== undefined) return known
  const made = make()
  if (readers.size >= MAX_READERS) readers.clear()
  readers.set(key, made)
  return made
}
