import { ITEMS_PER_CHECKPOINT, SluiceError, invariant, type StepwiseTask } from '../../../base/index.ts'
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

/** Maximum number of rows in one merge. During the merge, the rows are in memory as objects. */
const MOST_ROWS = 32_768
/** Minimum number of row groups in one merge, so that rows are not rewritten too often. */
const LEAST_SEGMENTS = 4

/** Returns small row groups of one epoch that should be merged; an empty array if there are too few. */
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

/** Sizes that decide which parts are merged by copying their row groups. */
export interface MergeSizes {
  /** Parts that have a row group with fewer rows are excluded: `RowMerger` will rewrite their rows. */
  readonly leastRows: number
  /** Parts with fewer row groups count as small and are merged first. */
  readonly smallPart: number
  /** The number of row groups of a full part. */
  readonly fullPart: number
  /** Milliseconds after a start before the first merge, so that other work gets the cores. */
  readonly firstAfterMs: number
  /**
   * Once a table has had no new rows for this many milliseconds, two or more small parts are merged, whatever their
   * size.
   */
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
 * Returns the parts to merge next; an empty array if there are none. Rules, in this order:
 *
 * 1. A part that has lost at least half of its row groups is copied without them.
 * 2. Parts with fewer than `smallPart` row groups are merged once they together have that many, or all of them when the
 *    table is idle.
 * 3. Parts with at least `smallPart` and at most half of `fullPart` row groups are merged once they fill a part.
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

/**
 * Returns the first parts that together have at least `least` row groups, or to which no other part can be added
 * without exceeding `most`. Returns `undefined` if all parts together have fewer than `least`.
 */
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

/**
 * Makes a segment from rows of one epoch that already have sequence numbers. Its codes belong to the table's
 * dictionaries.
 */
function* sealed(table: MemoryTable, rows: Iterable<NewRow>): StepwiseTask<Segment | undefined> {
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

/** Returns one segment with the rows of several. Rows keep their sequence numbers. */
export function* merged(table: MemoryTable, segments: readonly Segment[]): StepwiseTask<Segment> {
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

/** Returns a segment without the rows in `gone`; `undefined` if no row remains. */
export function* without(table: MemoryTable, segment: Segment, gone: Bitmap): StepwiseTask<Segment | undefined> {
  const left = segment.rowCount - countBits(gone)
  const made = yield* sealed(table, rowsOf(segment, gone))
  invariant((made?.rowCount ?? 0) === left, 'a segment of all rows that are left')
  return made
}

/** Returns the segments in which some value cannot be read. */
export function* unreadable(segments: readonly Segment[]): StepwiseTask<readonly Segment[]> {
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
