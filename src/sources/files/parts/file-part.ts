import type { EpochTime } from '../../../store/index.ts'
import type { FormatName, Separator } from '../../../ingest/index.ts'
import type { RecordTableDefinition } from '../../../plan/index.ts'
import type { AppendReport, MemoryTableOptions, RecordReading, SegmentNews } from '../../../store/index.ts'

/** How the records of a file are written. Plain data, unlike `InputFormat`. */
export type PartedInput =
  | { readonly kind: 'json-lines' }
  | { readonly kind: 'table'; readonly separator: Separator; readonly names: readonly string[] }
  | { readonly kind: 'lines'; readonly line: 'logfmt' | 'text' }

/** A file that several threads read, each some parts of it. Plain data. */
export interface PartedFile {
  readonly path: string
  readonly bytes: number
  /** Where its first record begins. */
  readonly from: number
  readonly input: PartedInput
  /** What was said of the format. */
  readonly format: FormatName
  readonly reading: RecordReading
  /** The place of its first byte, for tables that keep places. */
  readonly firstPlace: number
  /** Becomes `_file` of its rows. */
  readonly origin: string | undefined
}

/** What parts are read into. Plain data. */
export interface PartedTable {
  readonly definition: RecordTableDefinition
  readonly options: MemoryTableOptions
}

/** What reading one part gave, its rows aside. */
export interface PartCounts extends AppendReport {
  readonly bytes: number
  readonly damagedLines: number
  /** Rows that were numbered, those that were left out included. */
  readonly numbered: number
  /** Fields that rows had, whether they are kept or not. */
  readonly names: readonly string[]
  /** Names that records had, and the fields that these become. */
  readonly namesMet: readonly string[]
  /** The first and the last time of rows that were left out for theirs. */
  readonly leftOutTimes: readonly EpochTime[]
  /** False where what follows cannot be read without this part. */
  readonly standsAlone: boolean
}

/** What a thread is told: to read parts of a file, each of which it takes by adding 1 to the word of `next`. */
export interface PartsJob {
  readonly file: PartedFile
  readonly table: PartedTable
  readonly next: SharedArrayBuffer
}

/** What a thread tells: a part that it has read, or that it has ended. */
export type PartNews =
  | {
      readonly part: number
      readonly counts: PartCounts
      readonly segments: readonly number[]
      readonly news: SegmentNews
    }
  | { readonly ended: true }
