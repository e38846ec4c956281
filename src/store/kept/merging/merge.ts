import { ITEMS_PER_CHECKPOINT, SluiceError, invariant, type Turns } from '../../../base/index.ts'
import { countBits, hasBit, valueAt, type Bitmap, type MutableRow } from '../../../data/index.ts'
import { liveRowGroups, type PartEntry } from '../../durable/index.ts'
import {
  SMALL_SEGMENT_ROWS,
  sequenceAt,
  timeNsAt,
  type MemoryTable,
  type NewRow,
  type Segment,
} from '../../memory/index.ts'
import { MAX_ROW_GROUPS } from '../../segments/index.ts'
import type { NamedRowGroup } from '../table-files.ts'

/** Most rows of such a merge: they are held as objects meanwhile. */
const MOST_ROWS = 32_768
/** Fewest row groups of such a merge, so that a row is not written again and again. */
const LEAST_SEGMENTS = 4

/** Small row groups of one epoch that are worth a merge; none where there are few. */
export function mergeable(rowGroups: Iterable<NamedRowGroup>): readonly NamedRowGroup[] {
  const byEpoch = new Map<number, { readonly small: NamedRowGroup[]; rows: number }>()
  for (const each of rowGroups) {
    const { epoch, rowCount } = each.segment
    if (rowCount >= SMALL_SEGMENT_ROWS) continue
    let found = byEpoch.get(epoch)
    if (found === undefined) byEpoch.set(epoch, (found = { small: [], rows: 0 }))
    if (found.rows + rowCount > MOST_ROWS) continue
    found.small.push(each)
    found.rows += rowCount
  }
  for (const { small } of byEpoch.values()) if (small.length >= LEAST_SEGMENTS) return small
  return []
}

/** Which parts are merged by copying their row groups. */
export interface MergeSizes {
  /** A part with a row group of fewer rows is not merged: its rows are about to be. */
  readonly leastRows: number
  /** Parts of fewer row groups are small: they are merged first. */
  readonly smallPart: number
  /** Row groups of a full part. */
  readonly fullPart: number
  /** Nothing is merged for so long after a start, milliseconds: what waited for the start has the cores. */
  readonly firstAfterMs: number
  /** After so long without new rows, small parts are merged however few they are, milliseconds. */
  readonly restMs: number
}

export const mergeSizes: MergeSizes = {
  leastRows: SMALL_SEGMENT_ROWS,
  smallPart: 8,
  fullPart: MAX_ROW_GROUPS,
  firstAfterMs: 15_000,
  restMs: 15_000,
}

/**
 * The parts that are merged next; none where none are.
 *
 * 1. A part of which half of the row groups are gone is copied without them.
 * 2. Parts of fewer row groups than the first level are merged once they have so many together, or at rest if there are several.
 * 3. Parts of at least so many, and at most half of a full part, are merged once they fill a part.
 */
export function mergeableParts(
  parts: readonly PartEntry[],
  { leastRows, smallPart, fullPart }: MergeSizes,
  isAtRest: boolean,
): readonly PartEntry[] {
  const halved = parts.find((part) => liveRowGroups(part).length * 2 <= part.rowGroups.length)
  if (halved !== undefined) return [halved]
  const ready = parts.filter(({ rowGroups }) => rowGroups.every(({ rowCount }) => rowCount >= leastRows))
  const small = ready.filter((part) => liveRowGroups(part).length < smallPart)
  const some = firstParts(small, smallPart, fullPart)
  if (some !== undefined) return some
  if (isAtRest && small.length > 1) return small
  const large = ready.filter(
    (part) => liveRowGroups(part).length >= smallPart && liveRowGroups(part).length * 2 <= fullPart,
  )
  return firstParts(large, fullPart, fullPart) ?? []
}

/** The first parts that have `least` row groups together, or to which no other can be added; `undefined` where they are fewer. */
function firstParts(parts: readonly PartEntry[], least: number, most: number): readonly PartEntry[] | undefined {
  let count = 0
  for (const [i, part] of parts.entries()) {
    const live = liveRowGroups(part).length
    if (count + live > most) return parts.slice(0, i)
    count += live
    if (count >= least) return parts.slice(0, i + 1)
  }
  return undefined
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
  const twin = table.emptyTwin()
  let some: NewRow[] = []
  const append = (): void => {
    twin.sealer.sealingLater(() => twin.writer.appendRows(some))
    some = []
  }
  for (const row of rows) {
    some.push(row)
    if (some.length < ITEMS_PER_CHECKPOINT) continue
    append()
    yield
  }
  append()
  twin.tails.closeAll()
  yield* twin.sealer.sealFull()
  const made = twin.segments.all
  invariant(made.length <= 1, 'one segment of all rows')
  return made[0]
}

/** One segment of the rows of others, with the numbers that they have there. */
export function* merged(table: MemoryTable, segments: readonly Segment[]): Turns<Segment> {
  const rows: NewRow[] = []
  for (const segment of segments)
    for (const row of rowsOf(segment)) {
      rows.push(row)
      if (rows.length % ITEMS_PER_CHECKPOINT === 0) yield
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
