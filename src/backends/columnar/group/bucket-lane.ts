import { clampNs, noTurns, type Turns } from '../../../base/index.ts'
import { columnOfValues, Instant, type Column } from '../../../data/index.ts'
import { epochStartNs, timeNsAt, type Segment } from '../../../store/index.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { Slice } from '../segments/source.ts'
import type { Lane } from './lane.ts'

const MAX_BUCKETS = 2 ** 22
const MAX_WIDTH_NS = 2n ** 51n

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b < 0n ? quotient - 1n : quotient
}

/** The table's time cut into buckets of one width: rows are sorted by time, so a bucket is a run of rows. */
export class BucketLane implements Lane {
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

  /** `undefined` when there would be too many buckets. */
  static of(widthNs: bigint, offsetNs: bigint, ranges: readonly SegmentRange[]): BucketLane | undefined {
    if (widthNs <= 0n || widthNs > MAX_WIDTH_NS) return undefined
    let first: bigint | undefined
    let last: bigint | undefined
    for (const { segment, from, to } of ranges) {
      const low = floorDivide(timeNsAt(segment, from) + offsetNs, widthNs)
      const high = floorDivide(timeNsAt(segment, to - 1) + offsetNs, widthNs)
      if (first === undefined || low < first) first = low
      if (last === undefined || high > last) last = high
    }
    if (first === undefined || last === undefined || last - first >= BigInt(MAX_BUCKETS)) return undefined
    return new BucketLane(widthNs, offsetNs, first, Number(last - first) + 1)
  }

  /** Bucket of the row, and the delta at which the next bucket begins. */
  #bucketAt(segment: Segment, row: number): { readonly bucket: number; readonly nextDelta: number } {
    const startNs = epochStartNs(segment.epoch)
    const index = floorDivide(timeNsAt(segment, row) + this.#offsetNs, this.#widthNs)
    const nextNs = (index + 1n) * this.#widthNs - this.#offsetNs
    return { bucket: Number(index - this.#first), nextDelta: Number(nextNs - startNs) }
  }

  fill(slice: Slice, into: Uint32Array): void {
    const { segment, from, rows, length } = slice
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
        } else ({ bucket, nextDelta } = this.#bucketAt(segment, row))
      }
      into[i] = bucket
    }
  }

  /** Adds the number of rows of `[from, to)` in each bucket; rows are not looked at one by one. */
  addCounts(segment: Segment, from: number, to: number, counts: Uint32Array): void {
    const { deltas } = segment
    const width = Number(this.#widthNs)
    let row = from
    let { bucket, nextDelta } = this.#bucketAt(segment, from)
    while (row < to) {
      const end = deltas[to - 1] < nextDelta ? to : lowerBoundFrom(deltas, nextDelta, row, to)
      counts[bucket] += end - row
      row = end
      if (row === to) break
      if (deltas[row] < nextDelta + width) {
        bucket++
        nextDelta += width
      } else ({ bucket, nextDelta } = this.#bucketAt(segment, row))
    }
  }

  values(ids: Uint32Array): Column {
    const starts: Instant[] = []
    for (const id of ids) starts.push(new Instant(clampNs((this.#first + BigInt(id)) * this.#widthNs - this.#offsetNs)))
    return columnOfValues(starts)
  }

  places(): Turns<Uint32Array> {
    const places = new Uint32Array(this.size)
    for (let id = 0; id < this.size; id++) places[id] = id
    return noTurns(places)
  }
}

/** The first row from `from` on that is not before `delta`, looked for in growing steps. */
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
