import { CsvRows, FORMAT_SAMPLE_BYTES, csvRecords, separatorOf, type Separator } from '../../../ingest/index.ts'
import type { MutableRow } from '../../../data/index.ts'
import { recordFault } from '../../../store/index.ts'
import { nothingOf, type IngestDecoder } from '../decoder.ts'
import { LineReport, piecesOf, tooLongReason } from '../payload-lines.ts'
import { storeRead } from './read-batch.ts'

function separatorIn(payload: Uint8Array, format: string): Separator {
  return format === 'tsv'
    ? '\t'
    : separatorOf(new TextDecoder('utf-8').decode(payload.subarray(0, FORMAT_SAMPLE_BYTES)))
}

/** The rows of a payload piece by piece; what cannot be one is told to the report. */
function* rowsOf(payload: Uint8Array, format: string, report: LineReport): Generator<readonly MutableRow[]> {
  const rows = new CsvRows(separatorIn(payload, format), (reason, line, excerpt) =>
    report.reject(line, reason, excerpt),
  )
  const good = (all: readonly MutableRow[]): readonly MutableRow[] =>
    all.filter((row) => {
      const reason = recordFault(row)
      if (reason !== undefined) report.reject(rows.lines, reason, '')
      return reason === undefined
    })
  for (const { bytes, isTooLong } of piecesOf(payload)) {
    if (isTooLong) report.reject(rows.lines + 1, tooLongReason, '')
    else yield good(rows.push(new TextDecoder('utf-8').decode(bytes)))
  }
  yield good(rows.end())
}

/** Tables of cells between separators; the first record names the columns where it looks like names. */
export function csvDecoder(table: string, format: 'csv' | 'tsv'): IngestDecoder {
  return {
    table,
    format,
    *decode(payload, receivedNs, options) {
      const beginning = new LineReport()
      let hasRecord = false
      for (const rows of rowsOf(payload, format, beginning)) {
        hasRecord = rows.length > 0
        if (hasRecord) break
        yield
      }
      if (!hasRecord) return nothingOf(beginning.rejected, beginning.errors)
      return {
        apply: ({ store }) =>
          storeRead(payload, csvRecords(separatorIn(payload, format)), store.table(table), {
            nowNs: receivedNs,
            options,
          }),
      }
    },
  }
}

/** The format of a body that calls itself a table; `undefined` when it does not. */
export function csvFormatOf(contentType: string | null): 'csv' | 'tsv' | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  return type === 'text/csv' ? 'csv' : type === 'text/tab-separated-values' ? 'tsv' : undefined
}
