import { SluiceError, invariant, type Turns } from '../../base/index.ts'
import { countBits, hasBit, valueAt, type Bitmap, type MutableRow } from '../../data/index.ts'
import { sequenceAt, timeNsAt, type MemoryTable, type NewRow, type Segment } from '../memory/index.ts'

/** Segments of fewer rows are merged. */
export const SMALL_ROWS = 8192
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

function* rowsOf(segment: Segment, gone?: Bitmap): Generator<NewRow> {
  for (let row = 0; row < segment.rowCount; row++) {
    if (gone !== undefined && hasBit(gone, row)) continue
    const values: MutableRow = new Map()
    for (const [name, { column }] of segment.columns) {
      const value = valueAt(column, row)
      if (value !== null) values.set(name, value)
    }
    yield { timeNs: timeNsAt(segment, row), row: values, sequence: sequenceAt(segment, row) }
  }
}

/** A segment of rows of one epoch that have their numbers. The codes are those of the table. */
function* sealed(table: MemoryTable, rows: Iterable<NewRow>): Turns<Segment | undefined> {
  const beside = table.beside()
  let some: NewRow[] = []
  const append = (): void => {
    beside.sealingLater(() => beside.appendRows(some))
    some = []
  }
  for (const row of rows) {
    some.push(row)
    if (some.length < ROWS_AT_ONCE) continue
    append()
    yield
  }
  append()
  beside.fillBefore(Infinity)
  yield* beside.sealFull()
  const made = beside.sealedSegments()
  invariant(made.length <= 1, 'one segment of all rows')
  return made[0]
}

/** One segment of the rows of others, with the numbers that they have there. */
export function* merged(table: MemoryTable, segments: readonly Segment[]): Turns<Segment> {
  const rows: NewRow[] = []
  for (const segment of segments)
    for (const row of rowsOf(segment)) {
      rows.push(row)
      if (rows.length % ROWS_AT_ONCE === 0) yield
    }
  rows.sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
  const made = yield* sealed(table, rows)
  invariant(made?.rowCount === rows.length, 'a segment of all rows')
  return made
}

/** A segment without some of its rows; `undefined` where none is left. */
export function* without(table: MemoryTable, segment: Segment, gone: Bitmap): Turns<Segment | undefined> {
  const left = segment.rowCount - countBits(gone)
  const made = yield* sealed(table, rowsOf(segment, gone))
  invariant((made?.rowCount ?? 0) === left, 'a segment of all rows that are left')
  return made
}

/** Those of which some value cannot be read. */
export function* unreadable(segments: readonly Segment[]): Turns<readonly Segment[]> {
  const found: Segment[] = []
  for (const segment of segments) {
    yield
    try {
      for (const _ of rowsOf(segment));
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      found.push(segment)
    }
  }
  return found
}
