import { clampNs } from '../../../base/index.ts'
import { columnOfValues, Instant, type Column } from '../../../data/index.ts'
import {
  deltaAt,
  epochStartNs,
  greatestDeltaAt,
  hasMarksAt,
  isEarlier,
  leastDeltaAt,
  rowsAround,
  type EpochTime,
  type Segment,
  type TimeMarks,
} from '../../../store/index.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { Slice } from '../segments/source.ts'
import { MAX_TABLE_SLOTS } from '../tuning.ts'
import type { NumberedKey } from './numbered-key.ts'

const MAX_WIDTH_NS = 2n ** 51n

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b < 0n ? quotient - 1n : quotient
}

/**
 * A group key that divides time into buckets of one width. Rows of a segment are sorted by time, so each bucket is a
 * range of rows.
 */
export class BucketKey implements NumberedKey {
  readonly size: number
  readonly isFixed = true
  readonly #widthNs: bigint
  readonly #offsetNs: bigint
  readonly #first: bigint

  private constructor(widthNs: bigint, offsetNs: bigint, first: bigint, size: number) {
    this.#widthNs = widthNs
    this.#offsetNs = offsetNs
    this.#first = first
    this.size = size
  }

  /**
   * Makes the key for all rows of `ranges`. Returns `undefined` when no range is given, the width is unsupported, or
   * there would be too many buckets.
   */
  static of(widthNs: bigint, offsetNs: bigint, ranges: readonly SegmentRange[]): BucketKey | undefined {
    if (widthNs <= 0n || widthNs > MAX_WIDTH_NS) return undefined
    let earliest: EpochTime | undefined
    let latest: EpochTime | undefined
    for (const { segment, from, to } of ranges) {
      // Bounds outside the times of the rows only add empty buckets, which the answer omits.
      const low = { epoch: segment.epoch, delta: leastDeltaAt(segment, from) }
      const high = { epoch: segment.epoch, delta: greatestDeltaAt(segment, to - 1) }
      if (earliest === undefined || isEarlier(low, earliest)) earliest = low
      if (latest === undefined || isEarlier(latest, high)) latest = high
    }
    if (earliest === undefined || latest === undefined) return undefined
    const indexOf = ({ epoch, delta }: EpochTime): bigint =>
      floorDivide(epochStartNs(epoch) + offsetNs + BigInt(delta), widthNs)
    const first = indexOf(earliest)
    const last = indexOf(latest)
    if (last - first >= BigInt(MAX_TABLE_SLOTS)) return undefined
    return new BucketKey(widthNs, offsetNs, first, Number(last - first) + 1)
  }

  /**
   * Returns the bucket of a time in a segment, and the time at which the next bucket begins. Both times are deltas:
   * nanoseconds after the start of the segment's epoch.
   */
  #bucketOf(segment: Segment, delta: number): { readonly bucket: number; readonly nextDelta: number } {
    const startNs = epochStartNs(segment.epoch)
    const index = floorDivide(startNs + BigInt(delta) + this.#offsetNs, this.#widthNs)
    const nextNs = (index + 1n) * this.#widthNs - this.#offsetNs
    return { bucket: Number(index - this.#first), nextDelta: Number(nextNs - startNs) }
  }

  /**
   * Returns the time marks of a segment, which map times to rows. `undefined` unless they contain the start of every
   * bucket.
   */
  #marksOf(segment: Segment): TimeMarks | undefined {
    const { timeMarks: marks } = segment
    if (marks === undefined) return undefined
    const { nextDelta } = this.#bucketOf(segment, segment.firstDelta)
    return hasMarksAt(marks, nextDelta, Number(this.#widthNs)) ? marks : undefined
  }

  fill(slice: Slice, into: Uint32Array): void {
    const { segment, from, rows, length } = slice
    const marks = this.#marksOf(segment)
    if (marks !== undefined) {
      this.#fillByMarks(slice, marks, into)
      return
    }
    const { deltas } = segment
    const width = Number(this.#widthNs)
    let bucket = 0
    let nextDelta = -Infinity
    for (let i = 0; i < length; i++) {
      const row = rows === undefined ? from + i : rows[i]
      const delta = deltas[row]
      if (delta >= nextDelta) {
        if (delta < nextDelta + width) {
          bucket++
          nextDelta += width
        } else ({ bucket, nextDelta } = this.#bucketOf(segment, delta))
      }
      into[i] = bucket
    }
  }

  #fillByMarks({ segment, from, rows, length }: Slice, marks: TimeMarks, into: Uint32Array): void {
    if (length === 0) return
    const width = Number(this.#widthNs)
    const { rowCount } = segment
    let { bucket, nextDelta } = this.#bucketOf(segment, leastDeltaAt(segment, rows === undefined ? from : rows[0]))
    let [nextRow] = rowsAround(marks, nextDelta, rowCount)
    for (let i = 0; i < length; i++) {
      const row = rows === undefined ? from + i : rows[i]
      while (row >= nextRow) {
        bucket++
        nextDelta += width
        ;[nextRow] = rowsAround(marks, nextDelta, rowCount)
      }
      into[i] = bucket
    }
  }

  /** Adds the number of rows of `[from, to)` to each bucket, without reading single rows. */
  addCounts(segment: Segment, from: number, to: number, counts: Uint32Array): void {
    const marks = this.#marksOf(segment)
    if (marks !== undefined) {
      this.#addCountsByMarks(segment, marks, from, to, counts)
      return
    }
    const { deltas } = segment
    const width = Number(this.#widthNs)
    let row = from
    let { bucket, nextDelta } = this.#bucketOf(segment, deltaAt(segment, from))
    while (row < to) {
      const end = deltas[to - 1] < nextDelta ? to : lowerBoundFrom(deltas, nextDelta, row, to)
      counts[bucket] += end - row
      row = end
      if (row === to) break
      if (deltas[row] < nextDelta + width) {
        bucket++
        nextDelta += width
      } else ({ bucket, nextDelta } = this.#bucketOf(segment, deltas[row]))
    }
  }

  #addCountsByMarks(segment: Segment, marks: TimeMarks, from: number, to: number, counts: Uint32Array): void {
    const width = Number(this.#widthNs)
    let row = from
    let { bucket, nextDelta } = this.#bucketOf(segment, leastDeltaAt(segment, from))
    for (; row < to; bucket++, nextDelta += width) {
      const end = Math.min(to, rowsAround(marks, nextDelta, segment.rowCount)[0])
      counts[bucket] += end - row
      row = end
    }
  }

  values(ids: Uint32Array): Column {
    const starts: Instant[] = []
    for (const id of ids) starts.push(new Instant(clampNs((this.#first + BigInt(id)) * this.#widthNs - this.#offsetNs)))
    return columnOfValues(starts)
  }

  ranks(): Uint32Array {
    const ranks = new Uint32Array(this.size)
    for (let id = 0; id < this.size; id++) ranks[id] = id
    return ranks
  }
}

/**
 * Returns the first row at or after `from` whose delta is at least `delta`. Galloping search: the step grows until the
 * row is passed.
 */
function lowerBoundFrom(deltas: Float64Array, delta: number, from: number, to: number): number {
  let step = 16
  let low = from
  while (low + step < to && deltas[low + step] < delta) {
    low += step
    step *= 2
  }
  let high = Math.min(to, low + step)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (deltas[middle] < delta) low = middle + 1
    else high = middle
  }
  return low
}
