export { LineScanner, recordsAt, recordsEnd, type ScannedTemplate } from './line-scanner.ts'
export type { ScannedLines } from './scanned-lines.ts'
export type { ScanOptions } from '../intake/scan-options.ts'
