import { PAGE_BYTES, type StepwiseTask } from '../../../base/index.ts'
import type { MutableRow } from '../../../data/index.ts'
import {
  GeneralRecords,
  recordFault,
  type MemoryTable,
  type RecordFormat,
  type ReadContext,
  type RecordSink,
} from '../../../store/index.ts'
import type { IngestReport } from '../decoder.ts'
import { LINES_LOOKED_AT, LineReport, chunksOf, type Beginning } from '../payload-lines.ts'

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
    // The search ends after many invalid records. Records after them are found when the batch is stored.
    this.isFound ||= this.report.rejected === LINES_LOOKED_AT
  }
}

/** Reads records up to the first one that can be stored. */
export function* beginningOfRecords(
  payload: Uint8Array,
  format: RecordFormat,
  context: ReadContext,
): StepwiseTask<Beginning> {
  const first = new FirstRecord()
  const records = new GeneralRecords(format, first, context)
  for (const chunk of chunksOf(payload, PAGE_BYTES)) {
    if (chunk.isTooLong) first.report.rejectTooLong()
    else records.push(chunk.bytes, () => first.isFound)
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
  context: ReadContext,
): StepwiseTask<IngestReport> {
  const report = new LineReport()
  const reader = table.writer.reader(format, context)
  for (const chunk of chunksOf(payload)) {
    if (chunk.isTooLong) report.rejectTooLong()
    else {
      reader.append(chunk.bytes, { ...context, firstLine: report.lines + 1 })
      report.addRead(reader.take())
    }
    yield
  }
  reader.flush()
  report.addRead(reader.take())
  return report.finish()
}
