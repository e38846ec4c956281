import type { RecordTableDefinition } from '../../../plan/index.ts'
import type { GrowingDictionary, StoredDictionary, EncodedDictionary } from '../dictionary/dictionary.ts'
import type { Segment } from '../segment.ts'
import type { StoredFile } from './table-news.ts'

/** Opens segments and dictionaries in files. */
export interface OpenStored {
  /** Opens a segment. Its codes belong to `dictionaries`. */
  segment(
    file: StoredFile & Pick<Segment, 'id'>,
    definition: RecordTableDefinition,
    dictionaryOf: (field: string) => GrowingDictionary,
  ): Segment
  /** Opens a dictionary. A damaged one is rebuilt from `segments`, if given, which must use its codes. */
  dictionary(encoded: EncodedDictionary, segments?: () => readonly Segment[]): StoredDictionary
}

/** The location of a segment in a file, as received from another thread. */
export interface EncodedFile {
  readonly file: StoredFile & Pick<Segment, 'id'>
  readonly definition: RecordTableDefinition
  /** Returns the dictionaries of all fields whose dictionary can be read. */
  readonly dictionaries: () => Iterable<readonly [field: string, dictionary: GrowingDictionary]>
}

const files = new WeakMap<Segment, EncodedFile>()

export function rememberFile(segment: Segment, file: EncodedFile): void {
  files.set(segment, file)
}

/**
 * Returns the location of a segment in a file; `undefined` if the segment is in memory or this thread wrote the file.
 */
export function encodeFile(segment: Segment): EncodedFile | undefined {
  return files.get(segment)
}
