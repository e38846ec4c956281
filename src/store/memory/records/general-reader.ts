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
  /** The number of rejected lines that are stored as text because they have another format. */
  keptLines: number
  /** Stores a record, or rejects it if it cannot be stored. `excerpt` is the text from which it was read. */
  record(record: MutableRow, excerpt: string): void
  /** Returns the time of a record; `undefined` for a record without one, which gets the time of reading. */
  timeOf(record: MutableRow): Instant | undefined
  /** Counts a row of a table that has more or fewer cells than named columns. */
  countWidth(width: Width): void
  /** Reports a name that several columns of a table have. */
  tellDoubledColumn(name: string): void
  /** Counts a record that cannot be read. The line number is that of the current line by default. */
  reject(reason: string, excerpt: string, lineNumber?: number): void
}

/** Reads records one by one, whatever their form. Its result defines the meaning of a record. */
export interface GeneralReader {
  /** Reads the record in `[start, end)`, including its line break. */
  read(bytes: Bytes, start: number, end: number): void
  /** True if the next line may continue the last record, which is not stored yet. */
  readonly isOpen: boolean
  /**
   * Called before a record that a template matches, to store the open record first; `origin` and `mayContinue` are
   * those of the template. Returns false if the new record may continue the open one, so that this reader must read it.
   */
  begins(origin: string, mayContinue: boolean): boolean
  /**
   * Called before `read` with the time of the preceding record, if a template matched that record; `undefined` if it
   * has no time.
   */
  follows?(time: Instant | undefined): void
  /** True if something read so far changes the meaning of what follows, so that templates must not be used. */
  readonly readsAll: boolean
  /** Stores the open record. */
  flush(): void
}

/** A format of records: how their bytes are structured and what they mean. */
export interface RecordFormat extends RecordForm {
  /** True if several lines may form one record, so that a record is complete only when the next one begins. */
  readonly joins: boolean
  /** Returns a reader for one input. */
  reader(sink: RecordSink, context: ReadContext): GeneralReader
}
