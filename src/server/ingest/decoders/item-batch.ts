import { ITEMS_PER_CHECKPOINT, type StepwiseTask } from '../../../base/index.ts'
import type { MutableRow } from '../../../data/index.ts'
import type { Items } from '../../../ingest/agents/index.ts'
import type { ReadContext } from '../../../store/index.ts'
import { nothingOf, type DecodedBatch } from '../decoder.ts'
import type { InternedStrings } from '../marks.ts'
import { LINES_LOOKED_AT, LineReport } from '../payload-lines.ts'
import { storeRecords } from './record-batch.ts'

/**
 * A batch that reads its records twice, so that only a few hundred are in memory at one time: up to the first record
 * before the batch is logged, and completely when it is stored. `itemsOf` must return the same items each time. Marks
 * come from the complete reading.
 */
export function* itemBatch(
  itemsOf: (marks?: InternedStrings) => Items,
  context: ReadContext,
  newMarks?: () => InternedStrings,
): StepwiseTask<DecodedBatch> {
  const beginning = new LineReport()
  const firstMarks = newMarks?.()
  const hasRecord = yield* beginsWithRecord(itemsOf(firstMarks), beginning)
  if (!hasRecord) {
    const { rejected, errors } = beginning
    const nothing = nothingOf(rejected, errors)
    return firstMarks === undefined
      ? nothing
      : { ...nothing, nothing: { ...nothing.nothing!, marks: firstMarks.finish() } }
  }
  return {
    *apply({ store }) {
      const table = store.table('logs')
      const report = new LineReport()
      const marks = newMarks?.()
      let records: MutableRow[] = []
      const flush = (): void => {
        report.accepted += storeRecords(table, records, context, report)
        records = []
      }
      for (const item of itemsOf(marks)) {
        if (item === undefined) {
          flush()
          yield
          continue
        }
        report.lines++
        if (item instanceof Map) records.push(item)
        else report.reject(report.lines, item.reason, item.excerpt)
        if (records.length < ITEMS_PER_CHECKPOINT) continue
        flush()
        yield
      }
      flush()
      return marks === undefined ? report.finish() : { ...report.finish(), marks: marks.finish() }
    },
  }
}

/** The search ends after many items without a record. Records after them are found when the batch is stored. */
function* beginsWithRecord(items: Items, report: LineReport): StepwiseTask<boolean> {
  for (const item of items) {
    if (item instanceof Map || report.rejected === LINES_LOOKED_AT) return true
    if (item === undefined) {
      yield
      continue
    }
    report.reject(++report.lines, item.reason, item.excerpt)
    if (report.rejected % 64 === 0) yield
  }
  return false
}
