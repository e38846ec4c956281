export { BlockCache, CachedPart } from './block-cache.ts'
export { BlockWriter } from './block-writer.ts'
export { pieceSizes, type PieceSizes } from './codings.ts'
export {
  DICTIONARIES_VERSION,
  DictionariesFile,
  openDictionaries,
  remadeDictionary,
  type DictionaryChanges,
} from './dictionaries-file.ts'
export {
  GroupFilter,
  MOST_PLACES,
  groupKind,
  sortedRun,
  writeGroup,
  type GroupContents,
  type ItemRun,
} from './group-filter.ts'
export { itemsOfMemory, itemsOfSegment } from './group-items.ts'
export { SEGMENT_VERSION, doubleOfHex, hexOfDouble, type StoredArray } from './layout.ts'
export { StoredSegment, openSegment, type DictionaryOf, type OpenOptions } from './open-segment.ts'
export { NotedHashes } from './noted-hashes.ts'
export { PooledFiles } from './pooled-files.ts'
export { BlockFile, SegmentFile, type BlockFileKind, type OpenContents, type SegmentSource } from './segment-file.ts'
export type { Entries } from './entries.ts'
export type { SegmentContents } from './layout.ts'
export { writeSegment } from './write-segment.ts'
export { decodeTexts, encodeTexts } from './texts.ts'
export { arrayOf, areBlocks, isBlock, isCount, maybe, shapeOf } from './shape.ts'
