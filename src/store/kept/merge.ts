import { invariant, present, type Turns } from '../../base/index.ts'
import { valueAt, type MutableRow } from '../../data/index.ts'
import { sequenceAt, timeNsAt, type MemoryTable, type NewRow, type Segment } from '../memory/index.ts'

/** Segments of fewer rows are merged. */
const SMALL_ROWS = 8192
/** So many rows come together at most: they are held as objects meanwhile. */
const MOST_ROWS = 32_768
/** So many segments are merged at least, so that a row is not written again and again. */
const LEAST_SEGMENTS = 4
/** Rows that are copied between two turns. */
const ROWS_AT_ONCE = 64

/** Small segments of one epoch that are worth a merge; none where there are few. */
export function mergeable(segments: Iterable<Segment>): readonly Segment[] {
  const byEpoch = new Map<number, { readonly segments: Segment[]; rows: number }>()
  for (const segment of segments) {
    const { epoch, rowCount } = segment
    if (rowCount >= SMALL_ROWS) continue
    let found = byEpoch.get(epoch)
    if (found === undefined) byEpoch.set(epoch, (found = { segments: [], rows: 0 }))
    if (found.rows + rowCount > MOST_ROWS) continue
    found.segments.push(segment)
    found.rows += rowCount
  }
  for (const { segments: small } of byEpoch.values()) if (small.length >= LEAST_SEGMENTS) return small
  return []
}

/** One segment of the rows of others, with the numbers that they have there. The codes are those of the table. */
export function* merged(table: MemoryTable, segments: readonly Segment[]): Turns<Segment> {
  const rows: NewRow[] = []
  for (const segment of segments)
    for (let row = 0; row < segment.rowCount; row++) {
      const values: MutableRow = new Map()
      for (const [name, { column }] of segment.columns) {
        const value = valueAt(column, row)
        if (value !== null) values.set(name, value)
      }
      rows.push({ timeNs: timeNsAt(segment, row), row: values, sequence: sequenceAt(segment, row) })
      if (rows.length % ROWS_AT_ONCE === 0) yield
    }
  rows.sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
  const beside = table.beside()
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    beside.sealingLater(() => beside.appendRows(rows.slice(from, from + ROWS_AT_ONCE)))
    yield
  }
  beside.fillBefore(Infinity)
  yield* beside.sealFull()
  const made = beside.sealedSegments()
  invariant(made.length === 1 && made[0]?.rowCount === rows.length, 'one segment of all rows')
  return present(made[0])
}
