export { LineScanner, recordsAt, type ScannedTemplate, type ScanOptions } from './line-scanner.ts'
export type { ScannedLines } from './scanned-lines.ts'
