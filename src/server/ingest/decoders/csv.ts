import { FORMAT_SAMPLE_BYTES, csvRecords, separatorOf, tableQuirks } from '../../../ingest/index.ts'
import type { RecordFormat } from '../../../store/index.ts'
import { nothingOf, type IngestDecoder } from '../decoder.ts'
import { beginningOfRecords, storeRead } from './read-batch.ts'

function recordsIn(payload: Uint8Array, format: string): RecordFormat {
  const text = new TextDecoder('utf-8').decode(payload.subarray(0, FORMAT_SAMPLE_BYTES))
  const separator = format === 'tsv' ? '\t' : separatorOf(text)
  return csvRecords(separator, undefined, tableQuirks(text, separator))
}

/** Returns a decoder for CSV and TSV. If the first record looks like names, it names the columns. */
export function csvDecoder(table: string, format: 'csv' | 'tsv'): IngestDecoder {
  return {
    table,
    format,
    *decode(payload, receivedNs, options) {
      const records = recordsIn(payload, format)
      const { hasRecord, rejected, errors } = yield* beginningOfRecords(payload, records, {
        nowNs: receivedNs,
        options,
      })
      if (!hasRecord) return nothingOf(rejected, errors)
      return {
        apply: ({ store }) =>
          storeRead(payload, recordsIn(payload, format), store.table(table), {
            nowNs: receivedNs,
            options,
          }),
      }
    },
  }
}

/** Returns the format of a body declared as CSV or TSV; `undefined` for other types. */
export function csvFormatOf(contentType: string | null): 'csv' | 'tsv' | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  return type === 'text/csv' ? 'csv' : type === 'text/tab-separated-values' ? 'tsv' : undefined
}
