export { SharedBlocks, fileKey } from './shared-blocks.ts'
export { BlockCache, CachedPart } from './block-cache.ts'
export { BlockWriter } from './block-writer.ts'
export { pieceSizes, type PieceSizes } from './codings/codings.ts'
export {
  DICTIONARIES_VERSION,
  DictionariesFile,
  openDictionaries,
  remadeDictionary,
  type DictionaryChanges,
} from './dictionaries/dictionaries-file.ts'
export { PART_VERSION, doubleOfHex, hexOfDouble, type StoredArray } from './layout.ts'
export { StoredSegment, openSegment, type DictionaryOf, type OpenSegmentOptions } from './open-segment.ts'
export { PooledFiles } from './pooled-files.ts'
export { BlockFile, type BlockFileKind, type BlockSource, type OpenContents } from './block-file.ts'
export { PartFile, RowGroupFile, rowGroupSource } from './part-file.ts'
export type { Entries } from './codings/entries.ts'
export type { RowGroupContents } from './layout.ts'
export { MAX_ROW_GROUPS } from './layout.ts'
export { StoredPart } from './stored-part.ts'
export { hashesInFile } from './value-hashes.ts'
export { mergeParts, writePart, type MergeInput } from './write-part.ts'
export type { TableNames } from './write-row-group.ts'
export { decodeTexts, encodeTexts } from './texts.ts'
export { arrayOf, areBlocks, isBlock, isCount, maybe, shapeOf } from './shape.ts'
export { MAX_DIGITS } from './codings/number-codings.ts'
