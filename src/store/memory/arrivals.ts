import { ITEMS_PER_CHECKPOINT, oncePer, type Budget } from '../../base/index.ts'
import { rowBytes, valueAt, type MutableRow } from '../../data/index.ts'
import type { RecordTableDefinition } from '../../plan/index.ts'
import { sequenceAt, timeNsAt, type Segment } from './segment.ts'
import { MemoryTable } from './table/memory-table.ts'
import type { NewRow } from './table/table-writer.ts'

/** A query's position in the sequence of rows that a table receives. */
export interface Arrivals {
  /**
   * The sequence number of the first row to read. Each run of the query sets it to the number after the last row read.
   */
  next: number
}

const lastSequenceOf = oncePer((segment: Segment): number => {
  let last = -1
  for (let row = 0; row < segment.rowCount; row++) last = Math.max(last, sequenceAt(segment, row))
  return last
})

/**
 * Returns segments of the rows from sequence number `arrivals.next` on, and sets `arrivals.next` after the last row.
 */
export function arrivedSegments(
  definition: RecordTableDefinition,
  segments: readonly Segment[],
  arrivals: Arrivals,
  budget: Budget,
): readonly Segment[] {
  const from = arrivals.next
  const rows: NewRow[] = []
  let next = 0
  for (const segment of segments) {
    const last = lastSequenceOf(segment)
    next = Math.max(next, last + 1)
    if (last < from) continue
    for (let row = 0; row < segment.rowCount; row++) {
      if (row % ITEMS_PER_CHECKPOINT === 0) budget.checkpoint()
      const sequence = sequenceAt(segment, row)
      if (sequence < from) continue
      const values: MutableRow = new Map()
      for (const [name, { column }] of segment.columns) {
        const value = valueAt(column, row)
        if (value !== null) values.set(name, value)
      }
      budget.charge(rowBytes(values))
      rows.push({ timeNs: timeNsAt(segment, row), row: values, sequence })
    }
  }
  arrivals.next = next
  if (rows.length === 0) return []
  rows.sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
  const table = new MemoryTable(definition, { isReadOnce: true })
  table.writer.appendRows(rows)
  return table.view.snapshot()
}
