import { firstNotBefore } from '../../base/index.ts'
import type { Column } from '../../data/index.ts'
import type { CodeOrder } from './dictionary/code-order.ts'
import type { GroupPlace } from './segment-groups.ts'
import { markBefore, rowsAround, type TimeMarks } from './time-marks.ts'
import type { TopValues } from './top-values.ts'
import type { WordIndex } from './words/word-index.ts'
import type { ZoneMap } from './zone-map.ts'

/** A segment holds at most so many rows: row numbers fit 16 bits. */
export const segmentRows = 65_536
/** A segment of fewer rows is made, and kept, by the thread that has it: sending it takes as long (`npm run bench -- ingest`). */
export const SMALL_SEGMENT_ROWS = 8192

/** Time is cut into epochs of 2^52 ns (52 days); no segment crosses one, so its times are exact doubles. */
const epochBits = 52n
export const epochNs = 2 ** 52

/** One field of a segment with what is known about it. */
export interface StoredColumn {
  readonly column: Column
  /** Rows that lack the field. */
  readonly missingCount: number
  /** Rows per code, when the column is coded and codes are few. */
  readonly counts: Uint32Array | undefined
  /** Rows by code, when the column is coded and the segment is not small. */
  readonly order: CodeOrder | undefined
  /** Whether there is an `order`, which may have to be read. */
  readonly hasOrder: boolean
  /** Whether `order` is at hand; where it is not, it is made of all codes when it is asked for. Left out where it always is. */
  readonly isOrderMade?: boolean
  /**
   * Whether `order` is worth its making: it is made, or another query wanted it before. Where it is not, a look at the codes
   * costs less. Left out where it is always made.
   */
  wantsOrder?(): boolean
  /** Has the system read the codes, where they lie in a file and are not held; says whether they are so. */
  readAhead?(): boolean
  /** Has the system read what the values at these rows need, where they lie in a file; says whether any of it is not there. Throws SluiceError `durable/damaged`. */
  rowsAhead?(rows: Uint32Array): boolean
  /**
   * Reads what `taken` of these rows needs, of this field and of others, of any segments, where it lies in files: that takes less than
   * for each of them alone. Throws SluiceError `durable/damaged`.
   */
  readTogether?(all: readonly FieldRows[]): void
  /** Smallest and largest numbers per zone, when the column holds only numbers. */
  readonly zones: ZoneMap | undefined
  /** Rows with the highest and the lowest numbers, where they have been listed: where no number is NaN. */
  readonly tops?: TopValues | undefined
}

/** Rows of a field of one segment. */
export interface FieldRows {
  readonly field: StoredColumn
  readonly rows: Uint32Array
}

/**
 * Rows sealed together, sorted by time, then by order of ingestion. Immutable. All of it lies in shareable buffers;
 * names, sizes and decoded texts aside.
 */
export interface Segment {
  readonly id: number
  readonly rowCount: number
  readonly epoch: number
  /** The first and the last of `deltas`. */
  readonly firstDelta: number
  readonly lastDelta: number
  /** Times of the rows, ascending, as nanoseconds after the start of the epoch. */
  readonly deltas: Float64Array
  /** Set where `deltas` of all rows cost more than that of one: its element. */
  deltaOf?(row: number): number
  /** Where rows at whole seconds, minutes and the like begin, if that is known without `deltas`. */
  readonly timeMarks?: TimeMarks | undefined
  /** `sequenceBase + sequenceOffsets[row]`; without offsets, `sequenceBase + row`. */
  readonly sequenceBase: number
  readonly sequenceOffsets: Uint16Array | Uint32Array | Float64Array | undefined
  /** As `deltaOf`; the row itself without offsets. */
  sequenceOffsetOf?(row: number): number
  /** By field name, in code point order of the names; the time field is one of them. */
  readonly columns: ReadonlyMap<string, StoredColumn>
  readonly textField: string
  /** Set for a row group of a part. */
  readonly group?: GroupPlace | undefined
  /** Words of the text field; `undefined` while the rows are not sealed. */
  readonly words: WordIndex | undefined
  /** Says which segment of a file a scan looks at next: where segments are opened in turn, later ones are read ahead. */
  followedBy?(next: Segment | undefined): void
  /** Has the system read what the file of the segment says of itself. */
  readAhead?(): void
  readonly memoryBytes: number
}

export function sequenceAt(segment: Segment, row: number): number {
  const { sequenceBase } = segment
  if (segment.sequenceOffsetOf !== undefined) return sequenceBase + segment.sequenceOffsetOf(row)
  return sequenceBase + (segment.sequenceOffsets === undefined ? row : segment.sequenceOffsets[row])
}

/** An instant as stored. */
export interface EpochTime {
  readonly epoch: number
  /** Nanoseconds after the start of the epoch. */
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

/** The times at both ends of a segment are known without reading any. */
export function deltaAt(segment: Segment, row: number): number {
  if (row === segment.rowCount - 1) return segment.lastDelta
  if (row === 0) return segment.firstDelta
  return segment.deltaOf === undefined ? segment.deltas[row] : segment.deltaOf(row)
}

/** Marks that a time is looked up by; those of a file are not asked for where the time is known. */
function marksAt(segment: Segment, row: number): TimeMarks | undefined {
  return row === 0 || row === segment.rowCount - 1 ? undefined : segment.timeMarks
}

/** A time that the row is not before, the latest that is known without reading times. */
export function leastDeltaAt(segment: Segment, row: number): number {
  const marks = marksAt(segment, row)
  if (marks === undefined) return deltaAt(segment, row)
  const mark = markBefore(marks, row)
  return mark < 0 ? segment.firstDelta : marks.firstDelta + mark * marks.unitNs
}

/** A time that the row is not after, the earliest that is known without reading times. */
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

/** The first row at or after an instant. */
export function rowAtTime(segment: Segment, { epoch, delta }: EpochTime): number {
  if (segment.epoch !== epoch) return segment.epoch < epoch ? segment.rowCount : 0
  if (delta <= segment.firstDelta) return 0
  if (delta > segment.lastDelta) return segment.rowCount
  const { timeMarks: marks, rowCount } = segment
  const [low, high] = marks === undefined ? [0, rowCount] : rowsAround(marks, delta, rowCount)
  return firstNotBefore(low, high, (row) => deltaAt(segment, row) < delta)
}
