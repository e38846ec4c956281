import type { MutableRow } from '../../data/index.ts'
import { storedRow, type MemoryTable } from '../../store/index.ts'
import { nothingOf, type DecodedBatch, type IngestError } from './decoder.ts'

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

/** Records that go into one table as they are. */
export function recordBatch(
  table: string,
  records: readonly MutableRow[],
  receivedNs: bigint,
  rejected: number,
  errors: readonly IngestError[],
): DecodedBatch {
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
