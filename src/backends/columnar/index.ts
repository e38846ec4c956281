export { columnarBackend, type Tables } from './backend.ts'
export { filteredScan, matchingRows } from './matching-rows.ts'
