import type { Turns } from '../../../base/index.ts'
import type { MemoryTable, RecordFormat, RecordReading } from '../../../store/index.ts'
import type { IngestReport } from '../decoder.ts'
import { LineReport, piecesOf } from '../payload-lines.ts'

/** Reads the records of a payload into a table, piece by piece. */
export function* storeRead(
  payload: Uint8Array,
  format: RecordFormat,
  table: MemoryTable,
  reading: RecordReading,
): Turns<IngestReport> {
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
