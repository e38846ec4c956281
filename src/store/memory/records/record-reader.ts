import { Bytes, KEPT_EXAMPLES, LINE_FEED } from '../../../base/index.ts'
import { Instant, RecordFaultCount, type MutableRow, type RecordFaults, type Width } from '../../../data/index.ts'
import { changesFields, tableAsSaid, type RecordOptions } from '../../record-options.ts'
import { recordFault, timeContextOf, timeOfRecord, type ReadContext } from '../../record.ts'
import { appendRecord } from '../intake/append-record.ts'
import type { RowBuilder } from '../table/row-builder.ts'
import type { GeneralReader, RecordFormat, RecordSink } from './general-reader.ts'
import { RecordFramer } from './record-framer.ts'
import { RecordScanner, recordsAt } from './record-scanner.ts'
import { ScannedRecordAppender, type RecordCounts, type ScannedRecords } from './scanned-records.ts'
import { SCANNER_TEXT_BYTES } from './tuning.ts'

/** A `ReadContext` and the number of the next line. */
export interface RecordsReadContext extends ReadContext {
  /** The number of the first line of the next input; 1 by default. */
  readonly firstLine?: number
}

export interface BadRecord {
  readonly lineNumber: number
  readonly reason: string
  /** The first characters of the record, at most 120. */
  readonly excerpt: string
}

export interface AppendReport extends RecordFaults {
  /** The number of lines, including blank ones. */
  readonly lines: number
  readonly rows: number
  /** The number of records that no template matched, so that the general reader read them. */
  readonly generalRecords: number
  readonly badLines: number
  /** The number of lines that are not exactly one record. */
  readonly unfoldedLines: number
  /** The number of lines in another format that are stored as text. */
  readonly keptLines: number
  /** The first few records that could not be read. */
  readonly examples: readonly BadRecord[]
}

/**
 * Reads the records of one input into the columns of a table. A scanner finds the values of records that match a
 * template. The general reader of the format reads all other records.
 */
export class RecordReader implements RecordSink {
  #rows: RowBuilder
  readonly #format: RecordFormat
  readonly #options: RecordOptions | undefined
  readonly #general: GeneralReader
  readonly #appender: ScannedRecordAppender
  /** True if the options change fields: then records must become objects before they are stored. */
  readonly #changesFields: boolean
  readonly #table: ReturnType<typeof tableAsSaid>
  #context: RecordsReadContext
  #scanner: RecordScanner | 'no room' | undefined
  readonly #framer = new RecordFramer(this)
  #origin = 0
  lines = 0
  unfoldedLines = 0
  keptLines = 0
  readonly #counts: RecordCounts = { rows: 0, general: 0 }
  #badLines = 0
  #faults = new RecordFaultCount()
  #examples: BadRecord[] = []

  /**
   * The time zone and names in `context.options` apply to the whole input. The arrival time is given again with each
   * chunk.
   */
  constructor(rows: RowBuilder, format: RecordFormat, context: RecordsReadContext) {
    this.#rows = rows
    this.#format = format
    this.#context = context
    this.#options = context.options
    this.#changesFields = changesFields(context.options)
    this.#table = tableAsSaid(rows.definition, context.options)
    this.#appender = new ScannedRecordAppender(rows, this.#table)
    // `nowNs` is looked up at each use, because a later input may have another arrival time.
    const current = (): RecordsReadContext => this.#context
    this.#general = format.reader(this, {
      options: context.options,
      get nowNs() {
        return current().nowNs
      },
      get modifiedNs() {
        return current().modifiedNs
      },
    })
  }

  /** Continues with another table, which must share its fields with the previous one. */
  into(rows: RowBuilder): void {
    this.#rows = rows
    this.#appender.into(rows)
  }

  /**
   * Reads whole lines; only the last line may lack its line break. A record that may continue in the next chunk is
   * kept. `origin` is the file offset of the first byte, for tables that store offsets.
   */
  append(input: Uint8Array, context: RecordsReadContext, origin = 0): void {
    this.#context = { ...context, options: this.#options }
    const bytes = this.#framer.push(input)
    if (bytes === undefined) return
    this.#origin = origin + input.length - bytes.length
    this.#framer.keep(bytes.subarray(this.#read(bytes)))
  }

  /** Stores the open record. Called at the end of an input or after a pause. */
  flush(): void {
    const rest = this.#framer.end()
    if (rest.length > 0) this.#general.read(rest, 0, rest.length)
    this.#general.flush()
  }

  /** True if the last record may continue in the next input. */
  get isOpen(): boolean {
    return this.#general.isOpen || this.#framer.hasRest
  }

  /** True if the last record is incomplete. */
  get hasRest(): boolean {
    return this.#framer.hasRest
  }

  /** True if something read so far changes the meaning of the following records. */
  get readsAll(): boolean {
    return this.#general.readsAll
  }

  /** Returns the counts since the last call and resets them. */
  take(): AppendReport {
    const { lines, unfoldedLines, keptLines } = this
    const faults = this.#faults
    const { rows, general: generalRecords } = this.#counts
    const counts = {
      lines,
      rows,
      generalRecords,
      badLines: this.#badLines,
      unfoldedLines,
      keptLines,
      examples: this.#examples,
    }
    this.#context = { ...this.#context, firstLine: (this.#context.firstLine ?? 1) + lines }
    this.lines = 0
    this.unfoldedLines = 0
    this.keptLines = 0
    this.#counts.rows = 0
    this.#counts.general = 0
    this.#badLines = 0
    this.#faults = new RecordFaultCount(faults)
    this.#examples = []
    return Object.assign(faults, counts)
  }

  record(record: MutableRow, excerpt: string): void {
    const fault = recordFault(record)
    if (fault !== undefined) {
      this.reject(fault, excerpt)
      return
    }
    const stored = appendRecord(this.#rows, record, this.#context)
    if (!stored.hasTime) this.#faults.add(stored.unreadableTime, () => record)
    this.#counts.rows++
  }

  countWidth(width: Width): void {
    this.#faults.addWidth(width)
  }

  tellDoubledColumn(name: string): void {
    this.#faults.doubledColumn ??= name
  }

  timeOf(record: MutableRow): Instant | undefined {
    return timeOfRecord(this.#rows.definition, record, this.#context)
  }

  /** Returns a line as a record of the general reader, without storing it. */
  #recordAt(bytes: Bytes, start: number): MutableRow {
    let found: MutableRow = new Map()
    const sink: RecordSink = {
      lines: 0,
      unfoldedLines: 0,
      keptLines: 0,
      record: (record) => (found = record),
      reject: () => undefined,
      timeOf: () => undefined,
      countWidth: () => undefined,
      tellDoubledColumn: () => undefined,
    }
    const reader = this.#format.reader(sink, this.#context)
    reader.read(bytes, start, bytes.indexOf(LINE_FEED, start) + 1)
    reader.flush()
    return found
  }

  reject(reason: string, excerpt: string, lineNumber = (this.#context.firstLine ?? 1) + this.lines): void {
    this.#badLines++
    if (this.#examples.length < KEPT_EXAMPLES)
      this.#examples.push({ lineNumber, reason, excerpt: excerpt.slice(0, 120) })
  }

  /** Returns the scanner; `undefined` if the options change fields or there is no memory for another kernel. */
  #scannerIfAny(): RecordScanner | undefined {
    if (this.#scanner === undefined && !this.#changesFields) {
      try {
        this.#scanner = new RecordScanner(
          this.#format,
          { ...this.#rows.scanOptions, table: this.#table },
          SCANNER_TEXT_BYTES,
        )
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        this.#scanner = 'no room'
      }
    }
    return this.#scanner === 'no room' ? undefined : this.#scanner
  }

  /** Reads records; returns the start of the first record that does not end in `bytes`. */
  #read(bytes: Bytes): number {
    const scanner = this.#scannerIfAny()
    let start = 0
    while (start < bytes.length) {
      const whole = scanner === undefined ? 0 : this.#scan(scanner, bytes, start)
      if (whole > 0) {
        start += whole
        continue
      }
      const next = this.#format.recordEnd(bytes, start, bytes.length)
      if (next === -1) break
      this.#rows.offset = this.#origin + start
      this.#counts.general++
      this.#general.read(bytes, start, next)
      start = next
    }
    return start
  }

  /** Reads the records that fit into the scanner's memory; returns the number of bytes read. */
  #scan(scanner: RecordScanner, bytes: Bytes, start: number): number {
    const { text, textBytes } = scanner
    const isLast = bytes.length - start <= textBytes
    const end = isLast ? bytes.length : bytes.lastIndexOf(LINE_FEED, start + textBytes - 1) + 1
    if (end <= start) return 0
    bytes.copy(text, 0, start, end)
    let textEnd = end - start
    if (text[textEnd - 1] !== LINE_FEED) text[textEnd++] = LINE_FEED
    const first = recordsAt(textBytes) >> 2
    for (let at = 0; at < textEnd;) {
      const { position, words, isIncomplete } = scanner.scan(at, textEnd)
      this.#appendScanned({
        bytes: scanner.bytes,
        words: scanner.words,
        from: first,
        to: first + words,
        templates: scanner.templates,
        origin: this.#origin + start,
      })
      at = position
      if (isIncomplete) return at
    }
    return end - start
  }

  #appendScanned(records: ScannedRecords): void {
    const general = this.#general
    this.#appender.append(records, {
      general,
      sink: this,
      joins: this.#format.joins,
      context: timeContextOf(this.#context),
      arrivalNs: this.#context.nowNs,
      counts: this.#counts,
      countTimeless: (text, start) => this.#faults.add(undefined, () => this.#recordAt(text, start)),
    })
  }
}
