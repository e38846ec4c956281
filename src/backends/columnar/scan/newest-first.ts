import type { Bitmap } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import { compareRows, type SegmentRange } from './segment-range.ts'

/** Which rows of a range pass: a bitmap over the segment's rows. */
export type MaskOf = (range: SegmentRange) => Bitmap

/** Rows of one segment in the order of the answer: newest first. */
export interface Run {
  readonly segment: Segment
  readonly rows: Uint32Array
}

/** Walks the rows that pass in one segment from the newest to the oldest. */
class Cursor {
  readonly segment: Segment
  readonly #mask: Bitmap
  readonly #from: number
  /** The newest row not taken yet, -1 behind the last. */
  row: number

  constructor(range: SegmentRange, mask: Bitmap) {
    this.segment = range.segment
    this.#mask = mask
    this.#from = range.from
    this.row = range.to
    this.row = this.#before(range.to)
  }

  #before(row: number): number {
    let at = row - 1
    while (at >= this.#from) {
      const word = this.#mask[at >>> 5] & (-1 >>> (31 - (at & 31)))
      if (word !== 0) {
        const found = (at & ~31) + 31 - Math.clz32(word)
        return found >= this.#from ? found : -1
      }
      at = (at & ~31) - 1
    }
    return -1
  }

  /** Takes rows down to the first that does not come before `bound`. */
  take(into: number[], want: number, isBeforeBound: (segment: Segment, row: number) => boolean): void {
    while (this.row !== -1 && into.length < want && isBeforeBound(this.segment, this.row)) {
      into.push(this.row)
      this.row = this.#before(this.row)
    }
  }
}

/**
 * Rows that pass, newest first, then latest ingested, over segments whose times may overlap. A segment is looked at
 * only when no newer row is left elsewhere.
 */
export class NewestFirst {
  readonly #ranges: readonly SegmentRange[]
  readonly #maskOf: MaskOf
  readonly #open: Cursor[] = []
  #next = 0

  /** `ranges` by their newest row, newest first. */
  constructor(ranges: readonly SegmentRange[], maskOf: MaskOf) {
    this.#ranges = ranges
    this.#maskOf = maskOf
  }

  /** Rows of one segment; `'opened'` after a segment was looked at without giving rows; `undefined` at the end. */
  pull(want: number): Run | 'opened' | undefined {
    const best = this.#newest()
    if (best === undefined || this.#mustOpen(best)) return this.#open1()
    const rows: number[] = []
    const bounds = this.#open.filter((cursor) => cursor !== best)
    const waiting = this.#ranges[this.#next]
    best.take(rows, want, (segment, row) => {
      if (waiting !== undefined && compareRows(waiting.segment, waiting.to - 1, segment, row) > 0) return false
      for (const other of bounds) if (compareRows(other.segment, other.row, segment, row) > 0) return false
      return true
    })
    if (best.row === -1) this.#open.splice(this.#open.indexOf(best), 1)
    return { segment: best.segment, rows: Uint32Array.from(rows) }
  }

  #newest(): Cursor | undefined {
    let best: Cursor | undefined
    for (const cursor of this.#open) {
      if (best === undefined || compareRows(cursor.segment, cursor.row, best.segment, best.row) > 0) best = cursor
    }
    return best
  }

  #mustOpen(best: Cursor): boolean {
    const waiting = this.#ranges[this.#next]
    return waiting !== undefined && compareRows(waiting.segment, waiting.to - 1, best.segment, best.row) > 0
  }

  #open1(): 'opened' | undefined {
    const range = this.#ranges[this.#next]
    if (range === undefined) return undefined
    this.#next++
    const cursor = new Cursor(range, this.#maskOf(range))
    if (cursor.row !== -1) this.#open.push(cursor)
    return 'opened'
  }
}
