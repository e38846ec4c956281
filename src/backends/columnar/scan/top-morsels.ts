import { BATCH_ROWS, present, checkpoint, type Budget } from '../../../base/index.ts'
import { gatherCodes, type Dictionary } from '../../../data/index.ts'
import type { Sort } from '../../../plan/index.ts'
import type { Segment } from '../../../store/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import type { Frame } from '../frame.ts'
import { boundOf, rowsWithin, type Bound } from '../keys/bound.ts'
import { ofPlain, plainOf } from '../segments/plain-plan.ts'
import type { MorselScheduler } from '../morsels/scheduler.ts'
import { ScanJob, scanMorsels } from '../segments/scan-morsels.ts'
import { RemoteScan, scanTask, type ScanCounts, type ScanTask } from '../segments/scan-task.ts'
import { compareRows, type SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource, Slice } from '../segments/source.ts'
import { PLACE_BYTES } from '../tuning.ts'
import { firstRows } from './frame-order.ts'
import { frameOfRefs, type RowRef } from './row-refs.ts'

/** The task to find the first rows of a scan by some sort keys, as plain data. */
export interface TopTask extends ScanTask {
  readonly kind: 'top'
  readonly keys: Sort['keys']
  readonly keep: number
}

/**
 * Candidates for the first rows. Each candidate is the index of its segment in the scan's list and its row number in
 * that segment.
 */
interface PartialTop extends ScanCounts {
  readonly indexes: Uint32Array
}

/**
 * Finds the first `keep` rows of a scan by any sort keys, one morsel (a range of rows in one segment) at a time. Rows
 * with equal keys are in the order of the scan.
 */
export class TopMorsels {
  readonly #keys: Sort['keys']
  readonly #keep: number
  readonly #source: ScanSource
  readonly #ranges: readonly SegmentRange[]
  readonly #morsels: MorselScheduler<PartialTop>
  readonly #held: MemoryReservation
  /** Memory of the sort keys; held only during a sort. */
  readonly #sorting: MemoryReservation
  #rows: RowRef[] = []
  /** The last of the first `keep` rows so far. A row that sorts after it cannot be in the result. */
  #last: RowRef | undefined
  #bound: Bound | undefined
  /** Number of rows read in the next step. It grows, because the bound excludes more and more rows. */
  #rowsAtOnce = BATCH_ROWS
  /** For each dictionary, an array with 1 for each code that sorts after the last wanted row. */
  readonly #beyond = new Map<Dictionary, Uint8Array>()
  readonly #knowing: MemoryReservation

  /**
   * `ranges` are the morsels of the scan. A helper thread passes the ranges of the thread that runs the query, so that
   * morsel numbers agree.
   */
  constructor(keys: Sort['keys'], keep: number, source: ScanSource, ranges = source.smallRanges()) {
    this.#keys = keys
    this.#keep = keep
    this.#source = source
    this.#ranges = ranges
    this.#held = new MemoryReservation(source.context.query.budget)
    this.#sorting = new MemoryReservation(source.context.query.budget)
    this.#knowing = new MemoryReservation(source.context.query.budget)
    this.#morsels = scanMorsels({
      source,
      ranges,
      task: () => this.#task(),
      merge: ({ indexes }) => this.#merge(indexes),
    })
  }

  #task(): TopTask | undefined {
    const { context } = this.#source
    const keys = plainOf(this.#keys, context.functions)
    const scan = keys && scanTask(this.#source, this.#ranges, context)
    return scan && { kind: 'top', ...scan, keys, keep: this.#keep }
  }

  /** Reads all morsels, with the help of other threads in long queries. */
  run(): void {
    for (let morsel = this.#morsels.next(); morsel !== undefined; morsel = this.#morsels.next()) this.add(morsel)
  }

  /** Reads a morsel and holds the rows that may be in the result. */
  add(morsel: number): void {
    const slice = this.#source.slice(present(this.#ranges[morsel]))
    for (let left = slice.length; left > 0;) {
      const count = Math.min(left, this.#rowsAtOnce)
      this.#addRows(slice, newestFirst(slice, left - count, left))
      left -= count
      this.#rowsAtOnce *= 4
      const isFirstBound = this.#bound === undefined && this.#rows.length >= this.#keep
      if (isFirstBound || this.#rows.length > 2 * this.#keep + BATCH_ROWS) this.#letGo()
      checkpoint()
    }
  }

  /** Adds rows of a segment that may be in the result; `rows` are newest first. */
  #addRows({ segment, frame }: Slice, rows: Uint32Array): void {
    const within = this.#within(segment, rows, frame)
    const kept = within.length <= this.#keep ? within : gatherCodes(within, this.#first(frame.take(within)))
    this.#hold(segment, kept)
  }

  #within(segment: Segment, rows: Uint32Array, frame: Frame): Uint32Array {
    const [key, ...others] = this.#keys
    const last = this.#last
    const [newest] = rows
    if (this.#bound === undefined || last === undefined || key === undefined || newest === undefined) return rows
    // Rows that tie with the last wanted row in the first key may precede it by further keys or by the order of the
    // scan.
    const keepsTies = others.length > 0 || compareRows(segment, newest, last.segment, last.row) > 0
    const column = this.#source.context.compiler.expr(key.expr)(frame.take(rows))
    return gatherCodes(rows, rowsWithin(column, { ...this.#bound, keepsTies }, this.#beyondOf))
  }

  readonly #beyondOf = (dictionary: Dictionary): Uint8Array => {
    let beyond = this.#beyond.get(dictionary)
    if (beyond === undefined) {
      this.#knowing.charge(dictionary.size)
      this.#beyond.set(dictionary, (beyond = new Uint8Array(dictionary.size)))
    }
    return beyond
  }

  #hold(segment: Segment, rows: Uint32Array): void {
    for (const row of rows) this.#rows.push({ segment, row })
    this.#held.set(this.#rows.length * PLACE_BYTES)
  }

  #first(frame: Frame): Uint32Array {
    const first = firstRows(frame, this.#keys, this.#keep, this.#source.context, this.#sorting)
    this.#sorting.release()
    return first
  }

  /** Drops held rows that can no longer be in the result, and updates the bound that rejects later rows. */
  #letGo(): void {
    const rows = this.rows()
    const frame = frameOfRefs(this.#source, rows)
    const first = this.#first(frame)
    this.#rows = Array.from(first, (at) => present(rows[at]))
    this.#held.set(this.#rows.length * PLACE_BYTES)
    const [key] = this.#keys
    const at = first[this.#keep - 1]
    if (at === undefined || key === undefined) return
    this.#last = rows[at]
    this.#bound = boundOf(this.#source.context.compiler.expr(key.expr)(frame), at, key.direction, true)
  }

  /**
   * Returns the rows that may be in the result, in the order of the scan. After all morsels have been read, these are
   * the first rows and a few more.
   */
  rows(): readonly RowRef[] {
    return this.#rows.toSorted((a, b) => compareRows(b.segment, b.row, a.segment, a.row))
  }

  /**
   * Returns two numbers for each row that this thread found: the index of its segment in the scan's list, and its row
   * number in that segment.
   */
  export(): Uint32Array {
    if (this.#rows.length > this.#keep) this.#letGo()
    const numbers = new Map(this.#source.segments.map((segment, number) => [segment, number]))
    return Uint32Array.from(this.#rows.flatMap(({ segment, row }) => [present(numbers.get(segment)), row]))
  }

  #merge(indexes: Uint32Array): boolean {
    const { segments } = this.#source
    for (let at = 0; at < indexes.length; at += 2) {
      this.#rows.push({ segment: present(segments[indexes[at] ?? 0]), row: indexes[at + 1] ?? 0 })
    }
    this.#held.set(this.#rows.length * PLACE_BYTES)
    return true
  }
}

/** Returns the row numbers of a slice at positions `[from, to)`, newest first, which reverses their order. */
function newestFirst({ from: first, rows }: Slice, from: number, to: number): Uint32Array {
  if (rows !== undefined) return rows.subarray(from, to).toReversed()
  return Uint32Array.from({ length: to - from }, (_, i) => first + to - 1 - i)
}

/** Makes the job that finds the first rows for another thread over the same segments. */
export function topJob(task: TopTask, segments: readonly Segment[], budget: Budget): ScanJob {
  const scan = new RemoteScan(task, segments, budget)
  const { keys } = ofPlain({ keys: task.keys })
  const top = new TopMorsels(keys, task.keep, scan.source, scan.ranges)
  return new ScanJob(scan, { add: (morsel) => top.add(morsel), export: () => ({ indexes: top.export() }) })
}
