export * from './arrivals.ts'
export * from './store.ts'
export * from './lines/index.ts'
export { MemoryTable, type KeptRows, type MemoryTableOptions, type MemoryTableUsage, type NewRow } from './table.ts'
export type { AppendReport, BadJsonLine, JsonLinesOptions } from './json-lines.ts'
export * from './sent-rows.ts'
export type { StoredFile, TableNews } from './table-news.ts'
export { heardAlone, heardWords, toldAlone, toldTexts, wordsOfTold, type LoneSegment } from './told-segment.ts'
export { SegmentListener, SegmentTeller, type SegmentNews } from './segment-teller.ts'
export { TablePublisher } from './table-publisher.ts'
export { TableReplica } from './table-replica.ts'
export type { OpenStored } from './told-files.ts'
export { columnBytes } from './seal-column.ts'
export { storedBytes, withWords } from './seal.ts'
export { WordIndexBuilder } from './word-index-builder.ts'
export * from './segment.ts'
export * from './segment-groups.ts'
export * from './time-marks.ts'
export * from './text-templates.ts'
export { hasSegments, type SegmentNeeds, type SegmentTable } from './segment-table.ts'
export { bitmapOfCode, codeOrder, rowsOfCode, type CodeOrder } from './code-order.ts'
export * from './word-index.ts'
export { listsAllRows, type TopList, type TopValues } from './top-values.ts'
export { zoneRows, zoneShift, type CodeZones, type ZoneMap } from './zone-map.ts'
export {
  GrowingDictionary,
  entriesWithText,
  foldByte,
  type DictionaryPages,
  type StoredDictionary,
  type ToldDictionary,
} from './dictionary.ts'
export { wordByte } from './tokenize.ts'
