import type { Bytes } from '../../../base/index.ts'
import type { Instant, MutableRow, Width } from '../../../data/index.ts'
import type { RecordReading } from '../../record.ts'
import type { RecordForm } from './record-template.ts'

/** Takes what a general reader finds. */
export interface RecordSink {
  /** Lines that were met before the one that is read. */
  lines: number
  /** Lines that are not one record each. */
  unfoldedLines: number
  /** Rejected lines that are kept as text, since they are of another format. */
  keptLines: number
  /** Stores a record; one that cannot be stored is rejected. The excerpt is what it was read from. */
  record(record: MutableRow, excerpt: string): void
  /** The time that a record brings; `undefined` for one that gets the time of reading. */
  timeOf(record: MutableRow): Instant | undefined
  /** Counts a record of a table whose cells are not as many as the named columns. */
  countWidth(width: Width): void
  /** Tells a name that several columns of a table have. */
  tellDoubledColumn(name: string): void
  /** Counts a record that cannot be read; the line number is that of the line that is read unless given. */
  reject(reason: string, excerpt: string, lineNumber?: number): void
}

/** Reads records one by one, whatever they look like: what it makes of a record is what the record means. */
export interface GeneralReader {
  /** Reads `[start, end)`, a record with its line end. */
  read(bytes: Bytes, start: number, end: number): void
  /** Whether the next record may go on with one that was read; then that one has not been stored yet. */
  readonly isOpen: boolean
  /**
   * Stores what is open before a record of a template, which begins in `origin`. False where the record may go on with it, so that
   * this reader has to read the record.
   */
  begins(origin: string): boolean
  /** Told before `read` the time of the template record that comes before; `undefined` where that record brings none. */
  follows?(time: Instant | undefined): void
  /** Whether something it has met says that what follows means something else than templates tell. */
  readonly readsAll: boolean
  /** Stores what is open. */
  flush(): void
}

/** A format of records: how they lie in bytes, and what they mean. */
export interface RecordFormat extends RecordForm {
  /** Whether several records may be one, so that a record is complete only when the next is there. */
  readonly joins: boolean
  /** Begins an input. */
  reader(sink: RecordSink, reading: RecordReading): GeneralReader
}
