import { Bytes, KEPT_EXAMPLES } from '../../../base/index.ts'
import { Instant, RecordFaultCount, type MutableRow, type RecordFaults, type Width } from '../../../data/index.ts'
import { changesFields, tableAsSaid, type RecordOptions } from '../../record-options.ts'
import { recordFault, timeContextOf, timeOfRecord, type RecordReading } from '../../record.ts'
import { appendRecord } from '../intake/append-record.ts'
import type { RowBuilder } from '../table/row-builder.ts'
import type { GeneralReader, RecordFormat, RecordSink } from './general-reader.ts'
import { RecordFramer } from './record-framer.ts'
import { RecordScanner, recordsAt } from './record-scanner.ts'
import { ScannedRecordAppender, type RecordCounts, type ScannedRecords } from './scanned-records.ts'
import { SCANNER_TEXT_BYTES } from './tuning.ts'

/** How records are read: `RecordReading`, and which line of the input comes next. */
export interface RecordsReading extends RecordReading {
  /** Number of the first line, 1 if not given. */
  readonly firstLine?: number
}

export interface BadRecord {
  readonly lineNumber: number
  readonly reason: string
  /** At most 120 characters of the record. */
  readonly excerpt: string
}

export interface AppendReport extends RecordFaults {
  /** Lines met, blank ones included. */
  readonly lines: number
  readonly rows: number
  /** Records that no template fits, each read by itself. */
  readonly generalRecords: number
  readonly badLines: number
  /** Lines that are not one record each. */
  readonly unfoldedLines: number
  /** Bad lines that are kept as text. */
  readonly keptLines: number
  /** The first few. */
  readonly examples: readonly BadRecord[]
}

const LINE_FEED = 10

/**
 * Reads the records of one input into the columns of a table: those that a template fits by a scanner, which finds their values where
 * they lie, all others by the general reader of the format.
 */
export class RecordReader implements RecordSink {
  #rows: RowBuilder
  readonly #format: RecordFormat
  readonly #options: RecordOptions | undefined
  readonly #general: GeneralReader
  readonly #appender: ScannedRecordAppender
  /** Then records are objects before they are rows. */
  readonly #changesFields: boolean
  readonly #table: ReturnType<typeof tableAsSaid>
  #reading: RecordsReading
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

  /** The zone and names of `reading.options` count for all that is read; the time of records without one comes with each piece. */
  constructor(rows: RowBuilder, format: RecordFormat, reading: RecordsReading) {
    this.#rows = rows
    this.#format = format
    this.#reading = reading
    this.#options = reading.options
    this.#changesFields = changesFields(reading.options)
    this.#table = tableAsSaid(rows.definition, reading.options)
    this.#appender = new ScannedRecordAppender(rows, this.#table)
    // An input may be followed by another of a later time.
    const current = (): RecordsReading => this.#reading
    this.#general = format.reader(this, {
      options: reading.options,
      get nowNs() {
        return current().nowNs
      },
      get modifiedNs() {
        return current().modifiedNs
      },
    })
  }

  /** Puts what follows into another table that shares the fields of the one before. */
  into(rows: RowBuilder): void {
    this.#rows = rows
    this.#appender.into(rows)
  }

  /**
   * Reads whole lines; a record that goes on in the next ones waits for them. The last line may lack its end. `origin` is the place of
   * the first byte, for tables that keep places.
   */
  append(input: Uint8Array, reading: RecordsReading, origin = 0): void {
    this.#reading = { ...reading, options: this.#options }
    const bytes = this.#framer.push(input)
    if (bytes === undefined) return
    this.#origin = origin + input.length - bytes.length
    this.#framer.keep(bytes.subarray(this.#read(bytes)))
  }

  /** Completes what is open: at the end of an input, and when nothing has come for a while. */
  flush(): void {
    const rest = this.#framer.end()
    if (rest.length > 0) this.#general.read(rest, 0, rest.length)
    this.#general.flush()
  }

  /** Whether a record that was read may be complete only when more has come. */
  get isOpen(): boolean {
    return this.#general.isOpen || this.#framer.hasRest
  }

  /** Whether a record goes on behind what was read. */
  get hasRest(): boolean {
    return this.#framer.hasRest
  }

  /** Whether what was read says how what follows is to be read. */
  get readsAll(): boolean {
    return this.#general.readsAll
  }

  /** What was read since the last call. */
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
    this.#reading = { ...this.#reading, firstLine: (this.#reading.firstLine ?? 1) + lines }
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
    const stored = appendRecord(this.#rows, record, this.#reading)
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
    return timeOfRecord(this.#rows.definition, record, this.#reading)
  }

  /** A line as the general reader reads it; nothing of it is stored. */
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
    const reader = this.#format.reader(sink, this.#reading)
    reader.read(bytes, start, bytes.indexOf(LINE_FEED, start) + 1)
    reader.flush()
    return found
  }

  reject(reason: string, excerpt: string, lineNumber = (this.#reading.firstLine ?? 1) + this.lines): void {
    this.#badLines++
    if (this.#examples.length < KEPT_EXAMPLES)
      this.#examples.push({ lineNumber, reason, excerpt: excerpt.slice(0, 120) })
  }

  /** A process that has no room for another memory of a kernel reads on without. */
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

  /** Gives where the first record begins that does not end here. */
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
      this.#rows.place = this.#origin + start
      this.#counts.general++
      this.#general.read(bytes, start, next)
      start = next
    }
    return start
  }

  /** Reads the records that fit into the memory of a scanner; gives their bytes. */
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
      context: timeContextOf(this.#reading),
      arrivalNs: this.#reading.nowNs,
      counts: this.#counts,
      countTimeless: (text, start) => this.#faults.add(undefined, () => this.#recordAt(text, start)),
    })
  }
}
