import type { MutableRow } from '../../data/index.ts'
import { storedRow } from '../../store/index.ts'
import { nothingOf, type DecodedBatch, type IngestError } from './decoder.ts'

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
    apply: ({ store }) => {
      const target = store.table(table)
      target.appendRows(
        records.map((record) => {
          const { timeNs, row } = storedRow(target.definition, record, receivedNs, 0)
          return { timeNs, row }
        }),
      )
      return { accepted: records.length, rejected, errors }
    },
  }
}
