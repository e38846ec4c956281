import { firstNotBefore } from '../../base/index.ts'
import type { Column } from '../../data/index.ts'
import type { CodeOrder } from './dictionary/code-order.ts'
import type { GroupMember } from './segment-groups.ts'
import { markBefore, rowsAround, type TimeMarks } from './time-marks.ts'
import type { TopValues } from './top-values.ts'
import type { WordIndex } from './words/word-index.ts'
import type { ZoneMap } from './zone-map.ts'

/** Most rows of a segment, so that row numbers fit 16 bits. */
export const segmentRows = 65_536
/**
 * Segments with fewer rows are sealed by the thread that has the rows, because sending them to another thread takes as
 * long (`npm run bench -- ingest`).
 */
export const SMALL_SEGMENT_ROWS = 8192

/** Time is divided into epochs of 2^52 ns (52 days). No segment crosses an epoch, so its times are exact as doubles. */
const epochBits = 52n
export const epochNs = 2 ** 52

/** One field of a segment with its statistics. */
export interface StoredColumn {
  readonly column: Column
  /** The number of rows that lack the field. */
  readonly missingCount: number
  /** The number of rows of each code, if the column has codes and they are few. */
  readonly counts: Uint32Array | undefined
  /** The rows by code, if the column has codes and the segment is not small. */
  readonly order: CodeOrder | undefined
  /** True if `order` exists; it may have to be read first. */
  readonly hasOrder: boolean
  /**
   * True if `order` is in memory. If false, reading it derives it from all codes. If absent, it is always in memory.
   */
  readonly isOrderMade?: boolean
  /**
   * True if deriving `order` pays off: it is in memory, or another query needed it before. Otherwise scanning the codes
   * is cheaper. It is absent if `order` is always in memory.
   */
  wantsOrder?(): boolean
  /** Prefetches the codes if they are in a file; returns whether they are not in memory yet. */
  readAhead?(): boolean
  /**
   * Prefetches from files what the values of these rows need; returns whether any of it is not in memory yet. Throws
   * SluiceError `durable/damaged`.
   */
  rowsAhead?(rows: Uint32Array): boolean
  /**
   * Reads from files what `taken` needs for these rows of any fields and segments. This is faster than reading each
   * field alone. Throws SluiceError `durable/damaged`.
   */
  readTogether?(all: readonly FieldRows[]): void
  /** The smallest and largest number of each zone, if the column has only numbers. */
  readonly zones: ZoneMap | undefined
  /** The rows with the highest and the lowest numbers, if they are listed; columns with NaN have no lists. */
  readonly tops?: TopValues | undefined
}

/** Rows of one field of a segment. */
export interface FieldRows {
  readonly field: StoredColumn
  readonly rows: Uint32Array
}

/**
 * An immutable group of rows, sorted by time, then by order of ingestion. All data are in shareable buffers, except
 * names, sizes and decoded texts.
 */
export interface Segment {
  readonly id: number
  readonly rowCount: number
  readonly epoch: number
  /** The first time in `deltas`; `lastDelta` is the last one. */
  readonly firstDelta: number
  readonly lastDelta: number
  /** The times of the rows, ascending, in nanoseconds since the start of the epoch. */
  readonly deltas: Float64Array
  /** Returns one element of `deltas`; present if reading one is cheaper than reading all. */
  deltaOf?(row: number): number
  /** The first rows at whole seconds, minutes and so on, if they are known without `deltas`. */
  readonly timeMarks?: TimeMarks | undefined
  /**
   * The sequence number of a row is `sequenceBase + sequenceOffsets[row]`; without offsets it is `sequenceBase + row`.
   */
  readonly sequenceBase: number
  readonly sequenceOffsets: Uint16Array | Uint32Array | Float64Array | undefined
  /** Returns one element of `sequenceOffsets`, as `deltaOf` does; the row number if there are no offsets. */
  sequenceOffsetOf?(row: number): number
  /** The fields by name, in code point order; the time field is included. */
  readonly columns: ReadonlyMap<string, StoredColumn>
  readonly textField: string
  /** For a segment that is a row group of a part: the part, and the number of the row group in it. */
  readonly group?: GroupMember | undefined
  /** The word index of the text field; `undefined` until it has been built. */
  readonly words: WordIndex | undefined
  /**
   * Sets the segment of a file that a scan reads next. If segments are opened in sequence, later ones are prefetched.
   */
  followedBy?(next: Segment | undefined): void
  /** Prefetches the contents of the segment's file. */
  readAhead?(): void
  readonly memoryBytes: number
}

export function sequenceAt(segment: Segment, row: number): number {
  const { sequenceBase } = segment
  if (segment.sequenceOffsetOf !== undefined) return sequenceBase + segment.sequenceOffsetOf(row)
  return sequenceBase + (segment.sequenceOffsets === undefined ? row : segment.sequenceOffsets[row])
}

/** A time as it is stored. */
export interface EpochTime {
  readonly epoch: number
  /** Nanoseconds since the start of the epoch. */
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

/** Returns the time of a row. The first and the last time of a segment are known without reading. */
export function deltaAt(segment: Segment, row: number): number {
  if (row === segment.rowCount - 1) return segment.lastDelta
  if (row === 0) return segment.firstDelta
  return segment.deltaOf === undefined ? segment.deltas[row] : segment.deltaOf(row)
}

/**
 * Returns the marks to look up a time; `undefined` for the first and last row, whose times are known without reading.
 */
function marksAt(segment: Segment, row: number): TimeMarks | undefined {
  return row === 0 || row === segment.rowCount - 1 ? undefined : segment.timeMarks
}

/** Returns the greatest lower bound of a row's time that is known without reading times. */
export function leastDeltaAt(segment: Segment, row: number): number {
  const marks = marksAt(segment, row)
  if (marks === undefined) return deltaAt(segment, row)
  const mark = markBefore(marks, row)
  return mark < 0 ? segment.firstDelta : marks.firstDelta + mark * marks.unitNs
}

/** Returns the least upper bound of a row's time that is known without reading times. */
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

/** Returns the first row at or after a time. */
export function rowAtTime(segment: Segment, { epoch, delta }: EpochTime): number {
  if (segment.epoch !== epoch) return segment.epoch < epoch ? segment.rowCount : 0
  if (delta <= segment.firstDelta) return 0
  if (delta > segment.lastDelta) return segment.rowCount
  const { timeMarks: marks, rowCount } = segment
  const [low, high] = marks === undefined ? [0, rowCount] : rowsAround(marks, delta, rowCount)
  return firstNotBefore(low, high, (row) => deltaAt(segment, row) < delta)
}
