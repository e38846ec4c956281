export { BlockCache } from './block-cache.ts'
export {
  DictionariesEnd,
  dictionariesHead,
  readDictionaries,
  type DictionaryChanges,
  type ReadDictionaries,
} from './dictionaries-file.ts'
export { SEGMENT_VERSION } from './layout.ts'
export { openSegment, type DictionaryOf, type OpenOptions, type StoredSegment } from './open-segment.ts'
export { PooledFiles } from './pooled-files.ts'
export { SegmentFile, type OpenContents, type SegmentSource } from './segment-file.ts'
export type { Entries } from './entries.ts'
export type { SegmentContents } from './layout.ts'
export { writeSegment } from './write-segment.ts'
