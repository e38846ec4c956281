export * from './arrivals.ts'
export * from './store.ts'
export * from './records/index.ts'
export { MemoryTable } from './table/memory-table.ts'
export type { KeptRows, MemoryTableOptions } from './table/table-options.ts'
export type { RowBuilder } from './table/row-builder.ts'
export type { TableFields } from './table/table-fields.ts'
export type { SegmentList } from './table/segment-list.ts'
export type { TableTails } from './table/table-tails.ts'
export type { TableSealer } from './table/table-sealer.ts'
export { TableView, type MemoryTableUsage } from './table/table-view.ts'
export type { JsonLinesReadContext, NewRow, TableWriter } from './table/table-writer.ts'
export * from './intake/sent-rows.ts'
export type { StoredFile, TableDelta } from './replica/table-news.ts'
export {
  decodeAlone,
  decodeWordIndex,
  encodeAlone,
  encodeTextField,
  wordsOfEncoded,
  type LoneSegment,
} from './replica/encoded-segment.ts'
export { SegmentReceiver, SegmentSender, type SegmentDelta } from './replica/segment-sender.ts'
export { TablePublisher } from './replica/table-publisher.ts'
export { TableReplica } from './replica/table-replica.ts'
export type { OpenStored } from './replica/encoded-files.ts'
export { ColumnBuilder } from './column-builder.ts'
export { FieldState } from './field-state.ts'
export { RowOrder, columnBytes, sealColumn } from './seal-column.ts'
export { storedBytes, withWords } from './seal.ts'
export { WordIndexBuilder } from './words/word-index-builder.ts'
export * from './segment.ts'
export { batchesAsStored } from './scan-segments.ts'
export { knownFieldsOf } from './known-fields.ts'
export { TimeSpan } from './table/time-span.ts'
export * from './segment-groups.ts'
export * from './time-marks.ts'
export * from './words/text-templates.ts'
export { OTHER_FIELDS, hasJsonForm, otherFieldOf, otherFieldsOf } from './other-fields.ts'
export { hasSegments, type SegmentNeeds, type SegmentTable } from './segment-table.ts'
export { bitmapOfCode, codeOrder, rowsOfCode, type CodeOrder } from './dictionary/code-order.ts'
export * from './words/word-index.ts'
export { listsAllRows, type TopEnd, type TopList, type TopValues } from './top-values.ts'
export { zoneRows, type ZoneMap } from './zone-map.ts'
export {
  GrowingDictionary,
  type DictionaryPages,
  type StoredDictionary,
  type EncodedDictionary,
} from './dictionary/dictionary.ts'
export { entriesWithText, foldByte } from './dictionary/entry-hash.ts'
export { wordByte } from './words/tokenize.ts'
