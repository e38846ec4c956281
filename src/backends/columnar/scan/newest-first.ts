import { countRange, popcount, type Bitmap } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import { compareRows, type SegmentRange } from '../segments/segment-range.ts'

/** Which rows of a range pass; `undefined` when none does. */
export type PassingIn = (range: SegmentRange, place: number) => Bitmap | undefined

/** Rows of one segment in the order of the answer: newest first. */
export interface Run {
  readonly segment: Segment
  readonly rows: Uint32Array
}

/** Walks the rows that pass in one segment from the newest to the oldest. */
class Cursor {
  readonly segment: Segment
  readonly from: number
  readonly #mask: Bitmap
  /** The newest row not taken yet, -1 behind the last. */
  row: number

  constructor({ segment, from, to }: SegmentRange, mask: Bitmap) {
    this.segment = segment
    this.from = from
    this.#mask = mask
    this.row = this.#before(to)
  }

  /** A row from which on all that pass come before a row of another segment, in the order of the answer, and none before it does. */
  rowsBefore(other: Segment, otherRow: number): number {
    let low = this.from
    // Segments mostly follow each other in time, which their first and last rows tell.
    if (compareRows(this.segment, low, other, otherRow) > 0) return low
    let high = this.row
    while (low < high) {
      const middle = (low + high) >>> 1
      // Only rows that pass are compared: of a file the times of others would be read for nothing.
      const passing = this.#before(middle + 1, low)
      if (passing !== -1 && compareRows(this.segment, passing, other, otherRow) > 0) high = passing
      else low = middle + 1
    }
    return low
  }

  /** The newest row that passes before `row`, from `from` on; -1 where there is none. */
  #before(row: number, from = this.from): number {
    let at = row - 1
    while (at >= from) {
      const word = this.#mask[at >>> 5] & (-1 >>> (31 - (at & 31)))
      if (word !== 0) {
        const found = (at & ~31) + 31 - Math.clz32(word)
        return found >= from ? found : -1
      }
      at = (at & ~31) - 1
    }
    return -1
  }

  /** Takes at most `want` rows, none older than `oldest`. */
  take(want: number, oldest: number): Uint32Array {
    const rows = new Uint32Array(Math.min(want, this.row - oldest + 1))
    const mask = this.#mask
    const lowest = Math.max(oldest, this.from)
    let count = 0
    let at = this.row >>> 5
    let word = mask[at] & (-1 >>> (31 - (this.row & 31)))
    while (count < rows.length) {
      const base = at << 5
      if (word === -1 && base >= lowest && count + 32 <= rows.length) {
        for (let row = base + 31; row >= base; row--) rows[count++] = row
        word = 0
      }
      while (word !== 0 && count < rows.length) {
        const bit = 31 - Math.clz32(word)
        if (base + bit < lowest) break
        rows[count++] = base + bit
        word ^= 1 << bit
      }
      if (base <= lowest) break
      word = mask[--at] | 0
    }
    if (count > 0) this.row = this.#before(rows[count - 1])
    return rows.subarray(0, count)
  }

  /** How many rows are left, none older than `oldest`. */
  count(oldest: number): number {
    return countRange(this.#mask, oldest, this.row + 1)
  }

  /** The row that `count` newer ones are left before; -1 where there are no more. */
  rowBehind(count: number): number {
    let left = count
    let at = this.row >>> 5
    let word = this.#mask[at] & (-1 >>> (31 - (this.row & 31)))
    // Whole words first.
    for (let bits = popcount(word); bits <= left; bits = popcount(word)) {
      left -= bits
      if (--at < this.from >>> 5) return -1
      word = this.#mask[at]
    }
    for (; left > 0; left--) word ^= 1 << (31 - Math.clz32(word))
    const row = (at << 5) + 31 - Math.clz32(word)
    return row >= this.from ? row : -1
  }

  /** Skips `count` rows. */
  pass(count: number): void {
    this.row = this.rowBehind(count)
  }
}

/** Rows of a cursor, from its newest to `oldest`: `count`, and at least one. */
interface Ahead {
  readonly cursor: Cursor
  readonly oldest: number
  readonly count: number
}

/** Rows that come before this one of a segment, none older than each cursor's `oldest`. */
function aheadOf(some: readonly Pick<Ahead, 'cursor' | 'oldest'>[], segment: Segment, row: number): Ahead[] {
  return some.flatMap(({ cursor, oldest }) => {
    if (compareRows(cursor.segment, cursor.row, segment, row) <= 0) return []
    const from = Math.max(oldest, cursor.rowsBefore(segment, row))
    return [{ cursor, oldest: from, count: cursor.count(from) }]
  })
}

function totalOf(ahead: readonly Ahead[]): number {
  return ahead.reduce((sum, { count }) => sum + count, 0)
}

/**
 * Rows that pass, newest first, then latest ingested, over segments whose times may overlap. A segment is looked at
 * only when no newer row is left elsewhere.
 */
export class NewestFirst {
  readonly #ranges: readonly SegmentRange[]
  readonly #passingIn: PassingIn
  readonly #open: Cursor[] = []
  #next = 0

  /** `ranges` by their newest row, newest first. */
  constructor(ranges: readonly SegmentRange[], passingIn: PassingIn) {
    this.#ranges = ranges
    this.#passingIn = passingIn
  }

  /** Rows of one segment; `'opened'` after a segment was looked at without giving rows; `undefined` at the end. */
  pull(want: number): Run | 'opened' | undefined {
    const best = this.#ready()
    if (typeof best !== 'object') return best
    const rows = best.take(want, this.#oldestOf(best))
    this.#dropIfDone(best)
    return { segment: best.segment, rows }
  }

  /** Passes over rows, at most `limit`, and says how many; `'opened'` and `undefined` as above. */
  skip(limit: number): number | 'opened' | undefined {
    const best = this.#ready()
    if (typeof best !== 'object') return best
    const skipped = this.#skipUnordered(limit)
    if (skipped > 0) return skipped
    const count = Math.min(limit, best.count(this.#oldestOf(best)))
    this.#pass(best, count)
    return count
  }

  /**
   * Passes over rows that come before those of segments that were not looked at, and says how many: all of them, or nearly `limit`.
   * Among themselves they are not put in order, which takes as many steps as rows where segments overlap: it is enough that all that
   * come before some row are passed over, and that row is looked for by halves.
   */
  #skipUnordered(limit: number): number {
    const waiting = this.#ranges[this.#next]
    const open = this.#open.map((cursor) => ({ cursor, oldest: cursor.from }))
    let ahead =
      waiting === undefined
        ? open.map(({ cursor, oldest }) => ({ cursor, oldest, count: cursor.count(oldest) }))
        : aheadOf(open, waiting.segment, waiting.to - 1)
    for (let left = limit; ;) {
      const total = totalOf(ahead)
      if (total <= left) {
        for (const { cursor, count } of ahead) this.#pass(cursor, count)
        return limit - left + total
      }
      const widest = ahead.reduce((most, each) => (each.count > most.count ? each : most))
      if (widest.count === 1) return limit - left
      const middle = widest.cursor.rowBehind(widest.count >>> 1)
      const newer = aheadOf(ahead, widest.cursor.segment, middle)
      const newerCount = totalOf(newer)
      if (newerCount > left) ahead = newer
      else {
        for (const { cursor, count } of newer) this.#pass(cursor, count)
        left -= newerCount
        ahead = ahead.flatMap(({ cursor, oldest }) =>
          cursor.row < oldest ? [] : [{ cursor, oldest, count: cursor.count(oldest) }],
        )
      }
    }
  }

  /** The cursor whose row comes next; `'opened'` when a segment had to be looked at first. */
  #ready(): Cursor | 'opened' | undefined {
    const best = this.#newest()
    const waiting = this.#ranges[this.#next]
    if (waiting === undefined) return best
    if (best !== undefined && compareRows(waiting.segment, waiting.to - 1, best.segment, best.row) < 0) return best
    const passing = this.#passingIn(waiting, this.#next)
    this.#next++
    if (passing !== undefined) {
      const cursor = new Cursor(waiting, passing)
      if (cursor.row !== -1) this.#open.push(cursor)
    }
    return 'opened'
  }

  /** The oldest row of a cursor that still comes before all rows elsewhere. */
  #oldestOf(best: Cursor): number {
    let oldest = best.from
    const waiting = this.#ranges[this.#next]
    if (waiting !== undefined) oldest = Math.max(oldest, best.rowsBefore(waiting.segment, waiting.to - 1))
    for (const other of this.#open) {
      if (other !== best) oldest = Math.max(oldest, best.rowsBefore(other.segment, other.row))
    }
    return oldest
  }

  #newest(): Cursor | undefined {
    let best: Cursor | undefined
    for (const cursor of this.#open) {
      if (best === undefined || compareRows(cursor.segment, cursor.row, best.segment, best.row) > 0) best = cursor
    }
    return best
  }

  #pass(cursor: Cursor, count: number): void {
    cursor.pass(count)
    this.#dropIfDone(cursor)
  }

  #dropIfDone(cursor: Cursor): void {
    if (cursor.row === -1) this.#open.splice(this.#open.indexOf(cursor), 1)
  }
}
