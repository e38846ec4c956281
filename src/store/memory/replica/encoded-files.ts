import type { RecordTableDefinition } from '../../../plan/index.ts'
import type { GrowingDictionary, StoredDictionary, EncodedDictionary } from '../dictionary/dictionary.ts'
import type { Segment } from '../segment.ts'
import type { StoredFile } from './table-news.ts'

/** Opens segments and dictionaries in files. */
export interface OpenStored {
  /** Opens a segment whose codes belong to these dictionaries. */
  segment(
    file: StoredFile & Pick<Segment, 'id'>,
    definition: RecordTableDefinition,
    dictionaryOf: (field: string) => GrowingDictionary,
  ): Segment
  /**
   * Opens a dictionary. If it is damaged, it is rebuilt from those `segments` that use its codes, if they are given.
   */
  dictionary(encoded: EncodedDictionary, segments?: () => readonly Segment[]): StoredDictionary
}

/** The location of a segment in a file, as received from another thread. */
export interface EncodedFile {
  readonly file: StoredFile & Pick<Segment, 'id'>
  readonly definition: RecordTableDefinition
  /** Returns the dictionaries of the fields that can be read. */
  readonly dictionaries: () => Iterable<readonly [field: string, dictionary: GrowingDictionary]>
}

const files = new WeakMap<Segment, EncodedFile>()

export function rememberFile(segment: Segment, file: EncodedFile): void {
  files.set(segment, file)
}

/** Returns the location; `undefined` for a segment in memory and for one that this thread wrote to a file. */
export function encodeFile(segment: Segment): EncodedFile | undefined {
  return files.get(segment)
}
