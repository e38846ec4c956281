import type { Diagnostic } from '../../../base/index.ts'
import type { RowGroupEntry } from '../../durable/manifest.ts'
import type { DictionaryNews } from '../dictionary/dictionary-news.ts'
import type { Segment } from '../segment.ts'
import type { ToldSegment, ToldStoredColumn } from './told-segment.ts'

/** A row group of a part, for a reader that can open the file: what the manifest says of it. */
export interface StoredFile {
  readonly path: string
  /** Of the whole file, and its CRC-32. */
  readonly bytes: number
  readonly crc: number
  /** The number of the row group in the part. */
  readonly number: number
  readonly rowGroup: RowGroupEntry
}

/**
 * What a reader in another thread has not been told of a table yet. All of it is names, numbers and shared buffers: nothing
 * that a row holds is copied.
 */
export interface TableNews {
  readonly table: string
  readonly dictionaries: readonly (readonly [number, DictionaryNews])[]
  readonly segments: readonly (readonly [number, ToldSegment])[]
  /** Each with the number of its segment, which has been told. */
  readonly columns: readonly (readonly [number, string, ToldStoredColumn])[]
  /** Numbers of dictionaries, by the fields whose codes the files have; told before they are read. */
  readonly fields?: readonly (readonly [field: string, dictionary: number])[]
  /** Fields whose dictionaries cannot be read, with the reasons. */
  readonly damaged?: readonly (readonly [field: string, reasons: readonly Diagnostic[]])[]
  /** Segments that lie in files. */
  readonly stored?: readonly (readonly [number, StoredFile & Pick<Segment, 'id'>])[]
  /** In the last piece of news: the segments that there are from now on, in order. */
  readonly order?: readonly number[]
}
