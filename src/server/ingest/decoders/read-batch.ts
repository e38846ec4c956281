import { PAGE_BYTES, type StepwiseTask } from '../../../base/index.ts'
import type { MutableRow } from '../../../data/index.ts'
import {
  GeneralRecords,
  recordFault,
  type MemoryTable,
  type RecordFormat,
  type RecordReading,
  type RecordSink,
} from '../../../store/index.ts'
import type { IngestReport } from '../decoder.ts'
import { LINES_LOOKED_AT, LineReport, piecesOf, type Beginning } from '../payload-lines.ts'

/** Finds the first record of a payload and reports errors before it. */
class FirstRecord implements RecordSink {
  readonly report = new LineReport()
  unfoldedLines = 0
  keptLines = 0
  isFound = false

  get lines(): number {
    return this.report.lines
  }

  set lines(lines: number) {
    this.report.lines = lines
  }

  record(record: MutableRow, excerpt: string): void {
    const reason = recordFault(record)
    if (reason === undefined) this.isFound = true
    else this.reject(reason, excerpt)
  }

  timeOf(): undefined {}

  countWidth(): void {}

  tellDoubledColumn(): void {}

  reject(reason: string, excerpt: string, lineNumber = this.lines + 1): void {
    this.report.reject(lineNumber, reason, excerpt)
    // After many invalid records, the search ends. Storing will find the others.
    this.isFound ||= this.report.rejected === LINES_LOOKED_AT
  }
}

/** Reads records up to the first one that can be stored. */
export function* beginningOfRecords(
  payload: Uint8Array,
  format: RecordFormat,
  reading: RecordReading,
): StepwiseTask<Beginning> {
  const first = new FirstRecord()
  const records = new GeneralRecords(format, first, reading)
  for (const piece of piecesOf(payload, PAGE_BYTES)) {
    if (piece.isTooLong) first.report.rejectTooLong()
    else records.push(piece.bytes, () => first.isFound)
    if (first.isFound) break
    yield
  }
  if (!first.isFound) records.flush()
  const { rejected, errors } = first.report
  return { hasRecord: first.isFound, rejected, errors }
}

/** Reads the records of a payload into a table, step by step. */
export function* storeRead(
  payload: Uint8Array,
  format: RecordFormat,
  table: MemoryTable,
  reading: RecordReading,
): StepwiseTask<IngestReport> {
  const report = new LineReport()
  const reader = table.writer.reader(format, reading)
  for (const piece of piecesOf(payload)) {
    if (piece.isTooLong) report.rejectTooLong()
    else {
      reader.append(piece.bytes, { ...reading, firstLine: report.lines + 1 })
      report.addRead(reader.take())
    }
    yield
  }
  reader.flush()
  report.addRead(reader.take())
  return report.finish()
}
