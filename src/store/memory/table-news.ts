import type { Diagnostic } from '../../base/index.ts'
import type { DictionaryNews } from './dictionary-news.ts'
import type { GroupFile } from './segment-groups.ts'
import type { Segment } from './segment.ts'
import type { ToldSegment, ToldStoredColumn } from './told-segment.ts'

/** A sealed segment that lies in a file, for a reader that can open it: what the manifest says of it. */
export interface StoredFile extends Pick<Segment, 'rowCount' | 'epoch' | 'firstDelta' | 'lastDelta'> {
  readonly path: string
  readonly bytes: number
  /** Of all bytes, CRC-32, where the manifest has it: the head need not be read then. */
  readonly crc?: number | undefined
  /** The least sequence number of its rows. */
  readonly firstSequence: number
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
  /** In the last piece, where they have changed: all groups, each with the numbers of its segments by their places. */
  readonly groups?: readonly (readonly [file: GroupFile, segments: readonly (number | undefined)[]])[]
  /** In the last piece of news: the segments that there are from now on, in order. */
  readonly order?: readonly number[]
}
