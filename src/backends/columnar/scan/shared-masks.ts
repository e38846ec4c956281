import { sharedMemory, type Budget } from '../../../base/index.ts'
import { createBitmap, type Bitmap } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import type { MorselScheduler } from '../morsels/scheduler.ts'
import { ScanJob, scanMorsels } from '../segments/scan-morsels.ts'
import { RemoteScan, scanTask, type ScanCounts, type ScanTask } from '../segments/scan-task.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'

/** State of a range whose matching rows are in shared memory. All other ranges have the state `UNKNOWN`. */
const KNOWN = 1

/** The task to find the matching rows of a scan, as plain data. */
export interface MasksTask extends ScanTask {
  readonly kind: 'masks'
  /** The state of each range: `KNOWN` once its bits are in `words`, else `UNKNOWN`. */
  readonly states: Int32Array
  /**
   * The bitmaps of all ranges, concatenated. Each begins with the 32-bit word that contains the first row of its range.
   */
  readonly words: Uint32Array
}

/** Returns which 32-bit words of a segment's bitmap belong to a range: the index of the first one and their number. */
function wordsOf({ from, to }: SegmentRange): { readonly first: number; readonly count: number } {
  const first = from >>> 5
  return { first, count: ((to + 31) >>> 5) - first }
}

/** Returns the index in the shared words at which each range's bits start; the last entry is the end of all bits. */
function startsOf(ranges: readonly SegmentRange[]): Uint32Array {
  const starts = new Uint32Array(ranges.length + 1)
  for (const [index, range] of ranges.entries()) starts[index + 1] = starts[index] + wordsOf(range).count
  return starts
}

function maskOf(source: ScanSource, range: SegmentRange): Bitmap | undefined {
  return source.isNone(range) ? undefined : source.mask(range)
}

/** Copies the bits of a range to shared memory and marks the range as known. */
function noteMask(
  { states, words }: MasksTask,
  index: number,
  start: number,
  range: SegmentRange,
  mask: Bitmap | undefined,
): void {
  const { first, count } = wordsOf(range)
  if (mask !== undefined) words.set(mask.subarray(first, first + count), start)
  Atomics.store(states, index, KNOWN)
}

/** Makes the job that finds matching rows for another thread over the same segments. */
export function masksJob(task: MasksTask, segments: readonly Segment[], budget: Budget): ScanJob {
  const scan = new RemoteScan(task, segments, budget)
  const { source, ranges } = scan
  const starts = startsOf(ranges)
  return new ScanJob(scan, {
    add: (morsel) => noteMask(task, morsel, starts[morsel], ranges[morsel], maskOf(source, ranges[morsel])),
    // Nothing to export: the bitmaps are in shared memory.
    export: () => ({}),
  })
}

/**
 * Finds the matching rows of each morsel of a scan (a range of rows in one segment). In long queries other threads find
 * those of later morsels in advance.
 */
export class SharedMasks {
  readonly ranges: readonly SegmentRange[]
  readonly #source: ScanSource
  readonly #charge: MemoryReservation
  readonly #morsels: MorselScheduler<ScanCounts>
  #task: MasksTask | undefined
  #starts: Uint32Array = new Uint32Array(0)

  constructor(source: ScanSource) {
    this.#source = source
    this.ranges = source.smallRanges()
    this.#charge = new MemoryReservation(source.context.query.budget)
    this.#morsels = scanMorsels({
      source,
      ranges: this.ranges,
      task: () => this.#newTask(),
      canShare: () => !source.isPlain,
      merge: () => true,
    })
  }

  /**
   * Returns the matching rows of a morsel; `undefined` when there are none. Callers must request morsels in ascending
   * order, but may skip some.
   */
  of(morsel: number): Bitmap | undefined {
    while (!this.#isKnown(morsel)) {
      const next = this.#morsels.next(morsel)
      if (next === undefined || next === morsel) break
      if (!this.#isKnown(next)) this.#find(next)
    }
    const passing = this.#isKnown(morsel) ? this.#known(morsel) : this.#here(morsel)
    if (morsel === this.ranges.length - 1) {
      this.#morsels.finish()
      this.#charge.release()
    }
    return passing
  }

  #isKnown(morsel: number): boolean {
    return this.#task !== undefined && Atomics.load(this.#task.states, morsel) === KNOWN
  }

  #here(morsel: number): Bitmap | undefined {
    const range = this.ranges[morsel]
    return maskOf(this.#source, range)
  }

  /** Finds the matching rows of a later morsel and stores them in shared memory. */
  #find(morsel: number): void {
    const range = this.ranges[morsel]
    if (this.#task !== undefined) noteMask(this.#task, morsel, this.#starts[morsel], range, maskOf(this.#source, range))
  }

  #known(morsel: number): Bitmap | undefined {
    const found = this.#task?.words.subarray(this.#starts[morsel], this.#starts[morsel + 1])
    if (found?.some((word) => word !== 0) !== true) return undefined
    const range = this.ranges[morsel]
    const mask = createBitmap(range.segment.rowCount)
    mask.set(found, wordsOf(range).first)
    return mask
  }

  #newTask(): MasksTask | undefined {
    const scan = scanTask(this.#source, this.ranges, this.#source.context)
    if (scan === undefined) return undefined
    this.#starts = startsOf(this.ranges)
    const wordCount = this.#starts[this.ranges.length]
    this.#charge.charge(4 * (wordCount + this.ranges.length))
    this.#task = {
      kind: 'masks',
      ...scan,
      states: new Int32Array(sharedMemory(this.ranges.length * 4)),
      words: new Uint32Array(sharedMemory(wordCount * 4)),
    }
    return this.#task
  }
}
