import type { EpochTime } from '../../../store/index.ts'
import type { FormatName, Separator } from '../../../ingest/index.ts'
import type { RecordTableDefinition } from '../../../plan/index.ts'
import type { AppendReport, MemoryTableOptions, RecordReading, SegmentNews } from '../../../store/index.ts'
import type { PartMemory } from './part-ring.ts'

/** How the records of an input are written. Plain data, unlike `InputFormat`. */
export type PartedInput =
  | { readonly kind: 'json-lines' }
  | { readonly kind: 'table'; readonly separator: Separator; readonly names: readonly string[] }
  | { readonly kind: 'lines'; readonly line: 'logfmt' | 'text' }

/** How the parts of an input are read into a table. Plain data. */
export interface PartReading {
  readonly input: PartedInput
  /** What was said of the format. */
  readonly format: FormatName
  readonly reading: RecordReading
  /** Becomes `_file` of its rows. */
  readonly origin: string | undefined
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

/** What a thread is told: to read parts that it takes from a ring. */
export interface PartsJob {
  readonly how: PartReading
  readonly memory: PartMemory
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
