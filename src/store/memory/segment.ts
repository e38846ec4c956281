import { firstNotBefore } from '../../base/index.ts'
import type { Column } from '../../data/index.ts'
import type { CodeOrder } from './dictionary/code-order.ts'
import type { GroupMember } from './segment-groups.ts'
import { markBefore, rowsAround, type TimeMarks } from './time-marks.ts'
import type { TopValues } from './top-values.ts'
import type { WordIndex } from './words/word-index.ts'
import type { ZoneMap } from './zone-map.ts'

/** Maximum number of rows in a segment, so that row numbers fit 16 bits. */
export const segmentRows = 65_536
/**
 * Segments with fewer rows are sealed in the thread that has the rows: sending them to another thread takes as long as
 * sealing (`npm run bench -- ingest`).
 */
export const SMALL_SEGMENT_ROWS = 8192

/**
 * Binary logarithm of an epoch's length in nanoseconds. An epoch has 2^52 ns, 52 days. All rows of a segment are in one
 * epoch, so their times within the epoch are exact as doubles.
 */
const epochBits = 52n
export const epochNs = 2 ** 52

/** One field of a segment with its statistics. */
export interface StoredColumn {
  readonly column: Column
  /** The number of rows that lack the field. */
  readonly missingCount: number
  /** For each code, the number of rows that have it; `undefined` if the column has no codes or too many. */
  readonly counts: Uint32Array | undefined
  /** The rows by code; `undefined` if the column has no codes or the segment is small. */
  readonly order: CodeOrder | undefined
  /** True if `order` is available, although it may have to be read or derived first. */
  readonly hasOrder: boolean
  /**
   * True if `order` is in memory. If false, the next access derives it from all codes. Absent if `order` is always in
   * memory.
   */
  readonly isOrderMade?: boolean
  /**
   * Returns true if using `order` is worthwhile: it is in memory, or another query has needed it before. Otherwise
   * scanning the codes is cheaper. Absent if `order` is always in memory.
   */
  wantsOrder?(): boolean
  /** Prefetches the codes if they are in a file. Returns true if they are not in memory yet. */
  readAhead?(): boolean
  /**
   * Prefetches the data that the values of these rows need from files. Returns true if some of it is not in memory yet.
   * Throws SluiceError `durable/damaged`.
   */
  rowsAhead?(rows: Uint32Array): boolean
  /**
   * Reads the data that `gather` needs for these rows of several fields and segments. This is faster than reading each
   * field alone. Throws SluiceError `durable/damaged`.
   */
  readTogether?(all: readonly FieldRows[]): void
  /** The smallest and largest number of each zone; `undefined` if the column has values other than numbers. */
  readonly zones: ZoneMap | undefined
  /** The rows with the highest and the lowest numbers; absent if none are listed. Columns with NaN have no lists. */
  readonly tops?: TopValues | undefined
}

/** Some rows of one field of a segment. */
export interface FieldRows {
  readonly field: StoredColumn
  readonly rows: Uint32Array
}

/**
 * An immutable set of rows, sorted by time, then by order of ingestion. All data are in shareable buffers, except
 * names, sizes and decoded texts.
 */
export interface Segment {
  readonly id: number
  readonly rowCount: number
  readonly epoch: number
  /** The first element of `deltas`; `lastDelta` is the last one. */
  readonly firstDelta: number
  readonly lastDelta: number
  /** The times of the rows, ascending, in nanoseconds since the start of the epoch. */
  readonly deltas: Float64Array
  /** Returns one element of `deltas`. Present if reading one element is cheaper than reading all. */
  deltaOf?(row: number): number
  /** The first rows at whole seconds, minutes and so on; absent if they are not known without `deltas`. */
  readonly timeMarks?: TimeMarks | undefined
  /** Row `i` has sequence number `sequenceBase + sequenceOffsets[i]`; without `sequenceOffsets`, `sequenceBase + i`. */
  readonly sequenceBase: number
  readonly sequenceOffsets: Uint16Array | Uint32Array | Float64Array | undefined
  /** Returns one element of `sequenceOffsets`, or the row number if there are no offsets. Present as for `deltaOf`. */
  sequenceOffsetOf?(row: number): number
  /** The fields by name, in code point order, including the time field. */
  readonly columns: ReadonlyMap<string, StoredColumn>
  readonly textField: string
  /** For a row group of a part: the part, and the number of the row group. */
  readonly group?: GroupMember | undefined
  /** The word index of the text field; `undefined` until it has been built. */
  readonly words: WordIndex | undefined
  /**
   * Tells a segment in a file which segment a scan reads next. If segments are read in sequence, later ones are
   * prefetched.
   */
  followedBy?(next: Segment | undefined): void
  /** Prefetches the contents block of the segment in its file. */
  readAhead?(): void
  readonly memoryBytes: number
}

export function sequenceAt(segment: Segment, row: number): number {
  const { sequenceBase } = segment
  if (segment.sequenceOffsetOf !== undefined) return sequenceBase + segment.sequenceOffsetOf(row)
  return sequenceBase + (segment.sequenceOffsets === undefined ? row : segment.sequenceOffsets[row])
}

/** A time in its stored form: epoch and offset. */
export interface EpochTime {
  readonly epoch: number
  /** The offset from the start of the epoch, in nanoseconds. */
  readonly delta: number
}

export function isEarlier(a: EpochTime, b: EpochTime): boolean {
  return a.epoch < b.epoch || (a.epoch === b.epoch && a.delta < b.delta)
}

export function epochTimeOf(ns: bigint): EpochTime {
  return { epoch: Number(ns >> epochBits), delta: Number(BigInt.asUintN(Number(epochBits), ns)) }
}

export function epochStartNs(epoch: number): bigint {
  return BigInt(epoch) << epochBits
}

export function timeNsAt(segment: Segment, row: number): bigint {
  return epochStartNs(segment.epoch) + BigInt(deltaAt(segment, row))
}

/** Returns the time of a row. The times of the first and last row are known without reading from a file. */
export function deltaAt(segment: Segment, row: number): number {
  if (row === segment.rowCount - 1) return segment.lastDelta
  if (row === 0) return segment.firstDelta
  return segment.deltaOf === undefined ? segment.deltas[row] : segment.deltaOf(row)
}

/** Returns the marks that bound the time of a row; `undefined` for the first and last row, whose times are known. */
function marksAt(segment: Segment, row: number): TimeMarks | undefined {
  return row === 0 || row === segment.rowCount - 1 ? undefined : segment.timeMarks
}

/** Returns a lower bound of a row's time that is known without reading times; the exact time if that is known. */
export function leastDeltaAt(segment: Segment, row: number): number {
  const marks = marksAt(segment, row)
  if (marks === undefined) return deltaAt(segment, row)
  const mark = markBefore(marks, row)
  return mark < 0 ? segment.firstDelta : marks.firstDelta + mark * marks.unitNs
}

/** Returns an upper bound of a row's time that is known without reading times; the exact time if that is known. */
export function greatestDeltaAt(segment: Segment, row: number): number {
  const marks = marksAt(segment, row)
  if (marks === undefined) return deltaAt(segment, row)
  const mark = markBefore(marks, row) + 1
  return mark === marks.rows.length ? segment.lastDelta : marks.firstDelta + mark * marks.unitNs - 1
}

export function firstNsOf({ epoch, firstDelta }: Segment): bigint {
  return epochStartNs(epoch) + BigInt(firstDelta)
}

export function lastNsOf({ epoch, lastDelta }: Segment): bigint {
  return epochStartNs(epoch) + BigInt(lastDelta)
}

/** Returns the first row at or after a time; `rowCount` if all rows are earlier. */
export function rowAtTime(segment: Segment, { epoch, delta }: EpochTime): number {
  if (segment.epoch !== epoch) return segment.epoch < epoch ? segment.rowCount : 0
  if (delta <= segment.firstDelta) return 0
  if (delta > segment.lastDelta) return segment.rowCount
  const { timeMarks: marks, rowCount } = segment
  const [low, high] = marks === undefined ? [0, rowCount] : rowsAround(marks, delta, rowCount)
  return firstNotBefore(low, high, (row) => deltaAt(segment, row) < delta)
}
