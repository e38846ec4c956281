import { countRange, popcount, type Bitmap } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import { compareRows, type SegmentRange } from '../segments/segment-range.ts'

/**
 * Returns the rows of a range that match the conditions; `undefined` when there are none. `index` is the index of the
 * range.
 */
export type PassingIn = (range: SegmentRange, index: number) => Bitmap | undefined

/** Consecutive rows of an answer that come from one segment, newest first. */
export interface Run {
  readonly segment: Segment
  readonly rows: Uint32Array
}

/** A position among the matching rows of one segment; it moves from the newest row to the oldest. */
class Cursor {
  readonly segment: Segment
  readonly from: number
  readonly #mask: Bitmap
  /** The newest matching row that was not taken; -1 when none is left. */
  row: number

  constructor({ segment, from, to }: SegmentRange, mask: Bitmap) {
    this.segment = segment
    this.from = from
    this.#mask = mask
    this.row = this.#before(to)
  }

  /**
   * Returns the lowest row of this segment such that all matching rows from it on precede `otherRow` of another segment
   * in answer order.
   */
  rowsBefore(other: Segment, otherRow: number): number {
    let low = this.from
    // Most segments do not overlap in time, so comparing the oldest row often suffices.
    if (compareRows(this.segment, low, other, otherRow) > 0) return low
    let high = this.row
    while (low < high) {
      const middle = (low + high) >>> 1
      // Compares matching rows only, since the time of any other row might have to be read from a file.
      const passing = this.#before(middle + 1, low)
      if (passing !== -1 && compareRows(this.segment, passing, other, otherRow) > 0) high = passing
      else low = middle + 1
    }
    return low
  }

  /** Returns the newest matching row before `row` and at or after `from`; -1 when there is none. */
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

  /** Takes the next rows, newest first: at most `want`, and no row before `oldest`. */
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

  /** Returns the number of remaining matching rows from row `oldest` on. */
  count(oldest: number): number {
    return countRange(this.#mask, oldest, this.row + 1)
  }

  /** Returns the remaining matching row that has exactly `count` newer remaining ones; -1 when there is none. */
  rowBehind(count: number): number {
    let left = count
    let at = this.row >>> 5
    let word = this.#mask[at] & (-1 >>> (31 - (this.row & 31)))
    // Counts whole bitmap words before single bits.
    for (let bits = popcount(word); bits <= left; bits = popcount(word)) {
      left -= bits
      if (--at < this.from >>> 5) return -1
      word = this.#mask[at]
    }
    for (; left > 0; left--) word ^= 1 << (31 - Math.clz32(word))
    const row = (at << 5) + 31 - Math.clz32(word)
    return row >= this.from ? row : -1
  }

  /** Skips the next `count` matching rows. */
  pass(count: number): void {
    this.row = this.rowBehind(count)
  }
}

/** The matching rows of a cursor from its newest down to row `oldest`; `count` is their number, at least one. */
interface Ahead {
  readonly cursor: Cursor
  readonly oldest: number
  readonly count: number
}

/**
 * Returns, for each of these cursors, its rows that precede `row` of a segment in answer order. Rows older than the
 * cursor's `oldest` are excluded.
 */
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
 * Yields the matching rows of a scan in answer order: newest first, and of equal times the last ingested first.
 * Segments may overlap in time. A segment is read only when no open segment has a newer row left.
 */
export class NewestFirst {
  readonly #ranges: readonly SegmentRange[]
  readonly #passingIn: PassingIn
  readonly #open: Cursor[] = []
  #next = 0

  /** `ranges` must be ordered by their newest rows, newest first. */
  constructor(ranges: readonly SegmentRange[], passingIn: PassingIn) {
    this.#ranges = ranges
    this.#passingIn = passingIn
  }

  /**
   * Returns the next rows of one segment, at most `want`. `'opened'` means that a segment was read but no rows are
   * ready; call again. `undefined` at the end.
   */
  pull(want: number): Run | 'opened' | undefined {
    const best = this.#ready()
    if (typeof best !== 'object') return best
    const rows = best.take(want, this.#oldestOf(best))
    this.#dropIfDone(best)
    return { segment: best.segment, rows }
  }

  /**
   * Skips at most `limit` rows and returns how many. `'opened'` means that a segment was read without skipping rows;
   * call again. `undefined` at the end.
   */
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
   * Skips rows that precede all rows of unread segments: all such rows, or nearly `limit` of them. Returns their
   * number. Sorting the rows of overlapping segments would take a step for each row. Instead binary search finds a row
   * that nearly `limit` rows precede, and these rows are skipped.
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

  /** Returns the cursor with the next row; `'opened'` if a segment had to be read first; `undefined` at the end. */
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

  /**
   * Returns the oldest row of this cursor such that it and all newer rows precede the remaining rows of other segments.
   */
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
