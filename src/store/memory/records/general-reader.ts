import type { Bytes } from '../../../base/index.ts'
import type { Instant, MutableRow, Width } from '../../../data/index.ts'
import type { ReadContext } from '../../record.ts'
import type { RecordForm } from './record-template.ts'

/** Receives the records that a general reader finds. */
export interface RecordSink {
  /** The number of lines before the current one. */
  lines: number
  /** The number of lines that are not exactly one record. */
  unfoldedLines: number
  /** The number of lines in another format that are stored as text instead of being rejected. */
  keptLines: number
  /** Stores a record, or rejects it if it cannot be stored. `excerpt` is the text of the record. */
  record(record: MutableRow, excerpt: string): void
  /** Returns the time of a record; `undefined` if the record has none and will get the time of arrival. */
  timeOf(record: MutableRow): Instant | undefined
  /** Counts a row of a CSV table that has more or fewer cells than the header has names. */
  countWidth(width: Width): void
  /** Reports a column name that occurs more than once in a CSV table. */
  tellDoubledColumn(name: string): void
  /** Counts a record that cannot be read. `lineNumber` is that of the current line by default. */
  reject(reason: string, excerpt: string, lineNumber?: number): void
}

/** Reads records one by one, of any form. What it returns is by definition the meaning of a record. */
export interface GeneralReader {
  /** Reads the record in `[start, end)`, which includes the line break. */
  read(bytes: Bytes, start: number, end: number): void
  /** True if the last record is not stored yet, because the next line may continue it. */
  readonly isOpen: boolean
  /**
   * Called before a record that matches a template; `origin` and `mayContinue` are those of the template. If the new
   * record begins a record of its own, stores the open record and returns true. If it may continue the open record,
   * returns false: this reader must then read the new record too.
   */
  begins(origin: string, mayContinue: boolean): boolean
  /**
   * Called before `read` if a template matched the preceding record, with the time of that record; `undefined` if it
   * has no time.
   */
  follows?(time: Instant | undefined): void
  /** True if something read so far changes the meaning of the following records, so that templates must not be used. */
  readonly readsAll: boolean
  /** Stores the open record. */
  flush(): void
}

/** A format of records: how their bytes are structured and how they are decoded. */
export interface RecordFormat extends RecordForm {
  /** True if several lines may form one record. A record is then complete only when the next one begins. */
  readonly joins: boolean
  /** Returns a reader for one input. */
  reader(sink: RecordSink, context: ReadContext): GeneralReader
}
