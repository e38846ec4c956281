import { ITEMS_PER_CHECKPOINT, KEPT_EXAMPLES } from '../../../base/index.ts'
import { RecordFaultCount, type MutableRow } from '../../../data/index.ts'
import { recordFault, storedRow, type MemoryTable, type ReadContext } from '../../../store/index.ts'
import { nothingOf, type DecodedBatch, type IngestError } from '../decoder.ts'

/** Stores records unchanged. Returns the number of stored records, and counts records without a readable time. */
export function storeRecords(
  table: MemoryTable,
  records: readonly MutableRow[],
  context: ReadContext,
  times: RecordFaultCount,
): number {
  table.writer.appendRows(
    records.map((record) => {
      const { timeNs, row, hasTime, unreadableTime } = storedRow(table.definition, record, context)
      if (!hasTime) times.add(unreadableTime, () => record)
      return { timeNs, row }
    }),
  )
  return records.length
}

/**
 * Returns a batch of records for one table. Records with too many fields are rejected. `refused` is the number of
 * records that were rejected before.
 */
export function recordBatch(
  table: string,
  all: readonly MutableRow[],
  context: ReadContext,
  refused: number,
  reasons: readonly IngestError[],
): DecodedBatch {
  const errors = [...reasons]
  const records = all.filter((record, i) => {
    const reason = record.size === 0 ? undefined : recordFault(record)
    if (reason !== undefined && errors.length < KEPT_EXAMPLES) errors.push({ line: i + 1, reason })
    return reason === undefined
  })
  const rejected = refused + all.length - records.length
  if (records.length === 0) return nothingOf(rejected, errors)
  return {
    *apply({ store }) {
      const times = new RecordFaultCount()
      for (let from = 0; from < records.length; from += ITEMS_PER_CHECKPOINT) {
        storeRecords(store.table(table), records.slice(from, from + ITEMS_PER_CHECKPOINT), context, times)
        yield
      }
      return { accepted: records.length, rejected, errors, ...times.found() }
    },
  }
}
