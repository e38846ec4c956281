import type { EpochTime } from '../../../store/index.ts'
import type { FormatName, Separator } from '../../../ingest/index.ts'
import type { RecordTableDefinition } from '../../../plan/index.ts'
import type { AppendReport, MemoryTableOptions, ReadContext, SegmentDelta } from '../../../store/index.ts'
import type { PartMemory } from './part-ring.ts'

/** The format of the records of an input that is read in parts. Plain data, unlike `InputFormat`. */
export type PartedInput =
  | { readonly kind: 'json-lines' }
  | { readonly kind: 'table'; readonly separator: Separator; readonly names: readonly string[] }
  | { readonly kind: 'lines'; readonly line: 'logfmt' | 'text' }

/** The settings for reading the parts of an input into a table. Plain data. */
export interface PartReadOptions {
  readonly input: PartedInput
  /** The format that the caller named. */
  readonly format: FormatName
  readonly context: ReadContext
  /** The value of `_file` for the rows. */
  readonly origin: string | undefined
  readonly definition: RecordTableDefinition
  readonly options: MemoryTableOptions
}

/** The result of reading one part, without its rows. */
export interface PartCounts extends AppendReport {
  readonly bytes: number
  readonly damagedLines: number
  /** The number of rows that were numbered, including rows that were left out. */
  readonly numbered: number
  /** The names of fields in the rows, whether or not the rows were kept. */
  readonly names: readonly string[]
  /** The names that records had, and the fields that they became. */
  readonly namesMet: readonly string[]
  /** The first and the last time of rows that were left out because of their time. */
  readonly leftOutTimes: readonly EpochTime[]
  /** False when later bytes of the input depend on this part, so that they cannot be read separately. */
  readonly standsAlone: boolean
}

/** The message that starts a reading thread: it takes parts from a ring and reads them. */
export interface PartsJob {
  readonly how: PartReadOptions
  readonly memory: PartMemory
}

/** The message from a reading thread: a part that it has read, or the end of its work. */
export type PartDelta =
  | {
      readonly part: number
      readonly counts: PartCounts
      readonly segments: readonly number[]
      readonly news: SegmentDelta
    }
  | { readonly ended: true }
