import { Bytes, KEPT_EXAMPLES } from '../../../base/index.ts'
import {
  UnreadableTimesCount,
  utf8,
  type MutableRow,
  type TimeContext,
  type UnreadableTimes,
} from '../../../data/index.ts'
import { changesFields, tableAsSaid, type RecordOptions } from '../../record-options.ts'
import { recordFault, type RecordReading } from '../../record.ts'
import { placingOf } from '../../shapes/index.ts'
import { appendRecord } from '../intake/append-record.ts'
import type { RowBuilder } from '../table/row-builder.ts'
import type { GeneralReader, RecordFormat, RecordSink } from './general-reader.ts'
import { RecordScanner, recordsAt } from './record-scanner.ts'
import { ScannedRecordAppender, type ScannedRecords } from './scanned-records.ts'
import { MAX_RECORD_BYTES, SCANNER_TEXT_BYTES } from './tuning.ts'

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

export interface AppendReport extends UnreadableTimes {
  /** Lines met, blank ones included. */
  readonly lines: number
  readonly rows: number
  readonly badLines: number
  /** Lines that were several records. */
  readonly unfoldedLines: number
  /** The first few. */
  readonly examples: readonly BadRecord[]
}

const LINE_FEED = 10

/**
 * Reads the records of one input into the columns of a table: those that a template fits by a scanner, which finds their values where
 * they lie, all others by the general reader of the format.
 */
export class RecordReader implements RecordSink {
  readonly #rows: RowBuilder
  readonly #format: RecordFormat
  readonly #options: RecordOptions | undefined
  readonly #general: GeneralReader
  readonly #appender: ScannedRecordAppender
  /** Then records are objects before they are rows. */
  readonly #changesFields: boolean
  readonly #table: ReturnType<typeof tableAsSaid>
  #reading: RecordsReading
  #scanner: RecordScanner | 'no room' | undefined
  /** A record that has not ended yet. */
  #rest: Uint8Array[] = []
  #restBytes = 0
  /** The size of the rest at which its end is looked for again. */
  #lookAtBytes = 0
  #skipsLine = false
  #origin = 0
  lines = 0
  unfoldedLines = 0
  #rowCount = 0
  #badLines = 0
  #times = new UnreadableTimesCount()
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
    this.#general = format.reader(this, reading)
  }

  /**
   * Reads whole lines; a record that goes on in the next ones waits for them. The last line may lack its end. `origin` is the place of
   * the first byte, for tables that keep places.
   */
  append(input: Uint8Array, reading: RecordsReading, origin = 0): void {
    this.#reading = reading
    this.#origin = origin
    const bytes = this.#withRest(Bytes.from(input.buffer, input.byteOffset, input.byteLength))
    if (bytes === undefined) return
    let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    if (this.#skipsLine) {
      start = bytes.indexOf(LINE_FEED) + 1
      this.#skipsLine = start === 0
      if (this.#skipsLine) return
      this.lines++
    }
    start = this.#read(bytes, start)
    if (start < bytes.length) this.#keepRest(bytes.subarray(start))
  }

  /** Completes what is open: at the end of an input, and when nothing has come for a while. */
  flush(): void {
    if (this.#restBytes > 0) {
      const rest = Bytes.concat(this.#rest)
      this.#dropRest()
      this.#general.read(rest, 0, rest.length)
    }
    this.#general.flush()
  }

  /** Whether a record goes on behind what was read. */
  get hasRest(): boolean {
    return this.#restBytes > 0 || this.#skipsLine
  }

  /** Whether what was read says how what follows is to be read. */
  get readsAll(): boolean {
    return this.#general.readsAll
  }

  /** What was read since the last call. */
  take(): AppendReport {
    const { lines, unfoldedLines } = this
    const { unreadableTimes, unreadableTime } = this.#times
    const counts = { lines, rows: this.#rowCount, badLines: this.#badLines, unfoldedLines, examples: this.#examples }
    this.#reading = { ...this.#reading, firstLine: (this.#reading.firstLine ?? 1) + lines }
    this.lines = 0
    this.unfoldedLines = 0
    this.#rowCount = 0
    this.#badLines = 0
    this.#times = new UnreadableTimesCount()
    this.#examples = []
    return { ...counts, unreadableTimes, unreadableTime }
  }

  record(record: MutableRow, excerpt: string): void {
    const fault = recordFault(record)
    if (fault !== undefined) {
      this.reject(fault, excerpt)
      return
    }
    const { nowNs } = this.#reading
    this.#times.addValue(appendRecord(this.#rows, record, { nowNs, options: this.#options }).unreadableTime)
    this.#rowCount++
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
          { ...this.#rows.scanOptions, placing: placingOf(this.#table) },
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
  #read(bytes: Bytes, from: number): number {
    const scanner = this.#scannerIfAny()
    let start = from
    while (start < bytes.length) {
      const whole = scanner === undefined ? 0 : this.#scan(scanner, bytes, start)
      if (whole > 0) {
        start += whole
        continue
      }
      const next = this.#format.recordEnd(bytes, start, bytes.length)
      if (next === -1) break
      this.#rows.place = this.#origin + start
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
    const context: TimeContext = { nowNs: this.#reading.nowNs, zone: this.#options?.zone }
    const general = this.#general
    this.#appender.append(records, {
      general,
      sink: this,
      joins: this.#format.joins,
      context,
      countRow: this.#countRow,
    })
  }

  readonly #countRow = (): void => {
    this.#rowCount++
  }

  /** The bytes with those before them that were no whole record; `undefined` where more have to come. */
  #withRest(bytes: Bytes): Bytes | undefined {
    if (this.#restBytes === 0) return bytes
    this.#rest.push(Uint8Array.from(bytes))
    this.#restBytes += bytes.length
    if (this.#restBytes < this.#lookAtBytes) return undefined
    const all = Bytes.concat(this.#rest)
    this.#dropRest()
    return all
  }

  #keepRest(rest: Uint8Array): void {
    if (rest.length > MAX_RECORD_BYTES) {
      const head = utf8(Bytes.from(rest.subarray(0, 480)), 0, Math.min(480, rest.length))
      this.reject(`longer than ${MAX_RECORD_BYTES} bytes; is a quote not closed?`, head)
      for (const byte of rest) if (byte === LINE_FEED) this.lines++
      // What follows the next line end is read as if no quote were open.
      this.#skipsLine = true
      return
    }
    this.#rest = [Uint8Array.from(rest)]
    this.#restBytes = rest.length
    // A long record is not read from its beginning again for each piece of it.
    this.#lookAtBytes = rest.length > SCANNER_TEXT_BYTES ? 2 * rest.length : 0
  }

  #dropRest(): void {
    this.#rest = []
    this.#restBytes = 0
  }
}
