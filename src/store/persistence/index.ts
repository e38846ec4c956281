export { AGE_PARTS, IdleTailSealer, RETENTION_CHECK_MS } from './idle-tail-sealer.ts'
export {
  extentOf,
  liveEntries,
  setPartsAside,
  surveyFiles,
  type DamagedPart,
  type Extent,
  type FilesSurvey,
} from './repair/file-repair.ts'
export { fileNamesOf, folderName, setStraysAside } from './folders.ts'
export { deleteInMemory } from './delete-in-memory.ts'
export type { FindRows } from './deletions.ts'
export { FileReaders, ReadsInWork, readWords, type ReadingThread } from './file-readers.ts'
export { holdFiles, type HeldFiles } from './held-files.ts'
export { TablePersister, type TablePersisterOptions } from './table-persister.ts'
export { packSegment, type PackedSegment, type SegmentPacker } from './segment-packer.ts'
export { asideFiles, restoreAside, type AsideFile } from './repair/restore-aside.ts'
export { takeSnapshot, type Snapshot } from './snapshot.ts'
export type { MergeSizes } from './merging/merge.ts'
export type { Retention } from './retention.ts'
export { storedReader, type StoredReader } from './stored-reader.ts'
export { SAMPLES_TABLE, type PersistedMetrics } from './samples/named-samples.ts'
