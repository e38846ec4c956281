export { LineScanner, recordsAt, textAt, type ScannedTemplate, type ScanOptions } from './line-scanner.ts'
export type { ScannedLines } from './scanned-lines.ts'
