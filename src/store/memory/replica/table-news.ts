import type { Diagnostic } from '../../../base/index.ts'
import type { RowGroupEntry } from '../../durable/manifest.ts'
import type { DictionaryDelta } from '../dictionary/dictionary-news.ts'
import type { Segment } from '../segment.ts'
import type { EncodedSegment, EncodedStoredColumn } from './encoded-segment.ts'

/** A row group of a part in a file, with its manifest entry, for a reader that opens the file. */
export interface StoredFile {
  readonly path: string
  /** The size of the whole file in bytes. `crc` is the CRC-32 of the whole file. */
  readonly bytes: number
  readonly crc: number
  /** The number of the row group in the part. */
  readonly number: number
  readonly rowGroup: RowGroupEntry
}

/**
 * Changes of a table, as a message to a reader in another thread. Has names, numbers and shared buffers, so row data
 * are not copied.
 */
export interface TableDelta {
  readonly table: string
  readonly dictionaries: readonly (readonly [number, DictionaryDelta])[]
  readonly segments: readonly (readonly [number, EncodedSegment])[]
  /** Columns, each with the number of its segment. A segment is sent before its columns. */
  readonly columns: readonly (readonly [number, string, EncodedStoredColumn])[]
  /** Dictionary numbers by field, for segments in files. Sent before the dictionaries are read. */
  readonly fields?: readonly (readonly [field: string, dictionary: number])[]
  /** Fields whose dictionary cannot be read, with the reasons. */
  readonly damaged?: readonly (readonly [field: string, reasons: readonly Diagnostic[]])[]
  /** Segments in files, by number. */
  readonly stored?: readonly (readonly [number, StoredFile & Pick<Segment, 'id'>])[]
  /** The numbers of all current segments in order; only in the last message of an update. */
  readonly order?: readonly number[]
}
