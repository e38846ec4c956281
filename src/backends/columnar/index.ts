export { columnarBackend, type ColumnarOptions, type Tables } from './backend.ts'
export { helpingWith } from './help.ts'
export type { GivenPart, Helpers, Helping, OfferedWork, QueryThreads, SharedWork } from './helpers.ts'
export { filteredScan, matchingRows } from './matching-rows.ts'
