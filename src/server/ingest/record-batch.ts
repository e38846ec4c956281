import type { MutableRow } from '../../data/index.ts'
import { recordFault, storedRow, type MemoryTable } from '../../store/index.ts'
import { KEPT_ERRORS, nothingOf, type DecodedBatch, type IngestError } from './decoder.ts'

/** Records that are stored between two turns. */
export const ROWS_AT_ONCE = 512

/** Puts records into a table as they are; gives their number. */
export function storeRecords(table: MemoryTable, records: readonly MutableRow[], receivedNs: bigint): number {
  table.appendRows(
    records.map((record) => {
      const { timeNs, row } = storedRow(table.definition, record, receivedNs, 0)
      return { timeNs, row }
    }),
  )
  return records.length
}

/** Records that go into one table as they are; those of too many fields are refused beside the `refused`. */
export function recordBatch(
  table: string,
  all: readonly MutableRow[],
  receivedNs: bigint,
  refused: number,
  reasons: readonly IngestError[],
): DecodedBatch {
  const errors = [...reasons]
  const records = all.filter((record, i) => {
    const reason = record.size === 0 ? undefined : recordFault(record)
    if (reason !== undefined && errors.length < KEPT_ERRORS) errors.push({ line: i + 1, reason })
    return reason === undefined
  })
  const rejected = refused + all.length - records.length
  if (records.length === 0) return nothingOf(rejected, errors)
  return {
    *apply({ store }) {
      for (let from = 0; from < records.length; from += ROWS_AT_ONCE) {
        storeRecords(store.table(table), records.slice(from, from + ROWS_AT_ONCE), receivedNs)
        yield
      }
      return { accepted: records.length, rejected, errors }
    },
  }
}
