import type { Bitmap } from '../../../data/index.ts'
import { deltaAt } from '../../../store/index.ts'
import type { RowRef } from './row-refs.ts'
import { compareRows, type SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'

/** Compares two rows by time alone; negative when the first one is older. */
function compareTimes(a: RowRef, b: RowRef): number {
  return a.segment.epoch - b.segment.epoch || deltaAt(a.segment, a.row) - deltaAt(b.segment, b.row)
}

/**
 * Finds the rows that may be among the first `keep` of a scan by the table's time, ascending or descending, including
 * all rows that share the time of the last one. Reads segments from the matching end until the next one cannot contain
 * such a row.
 */
export class TopTimes {
  readonly #source: ScanSource
  readonly #isOldestFirst: boolean
  readonly #keep: number
  readonly #ranges: readonly SegmentRange[]
  #next = 0
  /** The rows so far, in the wanted order of time. */
  #topCandidates: RowRef[] = []

  constructor(source: ScanSource, direction: 'asc' | 'desc', keep: number) {
    this.#source = source
    this.#isOldestFirst = direction === 'asc'
    this.#keep = keep
    this.#ranges = source.smallRanges().toSorted((a, b) => this.#compare(this.#firstOf(a), this.#firstOf(b)))
  }

  #compare(a: RowRef, b: RowRef): number {
    return this.#isOldestFirst ? compareTimes(a, b) : compareTimes(b, a)
  }

  #firstOf({ segment, from, to }: SegmentRange): RowRef {
    return { segment, row: this.#isOldestFirst ? from : to - 1 }
  }

  /** Reads one segment; returns true when no further segment can contribute rows. */
  step(): boolean {
    const range = this.#ranges[this.#next++]
    if (range === undefined || this.#keep === 0) return true
    const last = this.#topCandidates[this.#keep - 1]
    if (last !== undefined && this.#compare(this.#firstOf(range), last) > 0) return true
    if (this.#source.isNone(range)) return false
    const found = this.#take(range, this.#source.mask(range))
    const merged = [...this.#topCandidates, ...found].sort((a, b) => this.#compare(a, b))
    const bound = merged[this.#keep - 1]
    this.#topCandidates =
      bound === undefined ? merged : merged.filter((candidate) => this.#compare(candidate, bound) <= 0)
    return false
  }

  /** Returns the first matching rows of a range, and all other rows that share the time of the last one. */
  #take({ segment, from, to }: SegmentRange, mask: Bitmap): readonly RowRef[] {
    const found: RowRef[] = []
    for (let i = 0; i < to - from; i++) {
      const row = this.#isOldestFirst ? from + i : to - 1 - i
      if (((mask[row >>> 5] >>> (row & 31)) & 1) === 0) continue
      const candidate = { segment, row }
      if (found.length >= this.#keep && this.#compare(candidate, found[this.#keep - 1]) > 0) break
      found.push(candidate)
    }
    return found
  }

  /** Returns the rows in the wanted order of time; at equal times newest first. */
  rows(): readonly RowRef[] {
    return this.#topCandidates.toSorted(
      (a, b) => this.#compare(a, b) || compareRows(b.segment, b.row, a.segment, a.row),
    )
  }
}
