import type { RecordTableDefinition } from '../../../plan/index.ts'
import type { GrowingDictionary, StoredDictionary, ToldDictionary } from '../dictionary/dictionary.ts'
import type { Segment } from '../segment.ts'
import type { StoredFile } from './table-news.ts'

/** Opens what lies in files. */
export interface OpenStored {
  /** A segment whose codes are those of these dictionaries. */
  segment(
    file: StoredFile & Pick<Segment, 'id'>,
    definition: RecordTableDefinition,
    dictionaryOf: (field: string) => GrowingDictionary,
  ): Segment
  /** A dictionary; where it is damaged it is made of those `segments` that have its codes, if they are given. */
  dictionary(told: ToldDictionary, segments?: () => readonly Segment[]): StoredDictionary
}

/** Where another thread told that a segment lies. */
export interface ToldFile {
  readonly file: StoredFile & Pick<Segment, 'id'>
  readonly definition: RecordTableDefinition
  /** Those of the fields that can be read. */
  readonly dictionaries: () => Iterable<readonly [field: string, dictionary: GrowingDictionary]>
}

const files = new WeakMap<Segment, ToldFile>()

export function rememberFile(segment: Segment, file: ToldFile): void {
  files.set(segment, file)
}

/** `undefined` for a segment in memory, and for one that this thread has put into a file. */
export function toldFileOf(segment: Segment): ToldFile | undefined {
  return files.get(segment)
}
