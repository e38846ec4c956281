import { sharedMemory, checkpoint, type Budget } from '../../../base/index.ts'
import { createBitmap, type Bitmap } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import { Charge } from '../charge.ts'
import type { Helping } from '../helpers.ts'
import { HelpedScan, scanTask, type ScanCounts, type ScanTask } from '../segments/scan-task.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { SharedPieces } from '../shared-pieces.ts'
import { sharedScan } from '../segments/scan-pieces.ts'
import type { ScanSource } from '../segments/source.ts'
import type { PassingRows } from '../expr/mask.ts'

/** Of a piece, in place of `UNKNOWN`: its bits stand in the memory that all threads see. */
const KNOWN = 1

/** Finding the rows that pass, as plain data. */
export interface MasksTask extends ScanTask {
  readonly kind: 'masks'
  /** By piece: `KNOWN` once its bits stand in `words`. */
  readonly states: Int32Array
  /** The bits of all pieces, one behind the other, each from the word on that has its first row. */
  readonly words: Uint32Array
}

/** Where the bits of a piece stand in the bitmap of its segment. */
function wordsOf({ from, to }: SegmentRange): { readonly first: number; readonly count: number } {
  const first = from >>> 5
  return { first, count: ((to + 31) >>> 5) - first }
}

/** By piece: where its bits begin; and the end of all. */
function startsOf(ranges: readonly SegmentRange[]): Uint32Array {
  const starts = new Uint32Array(ranges.length + 1)
  for (const [piece, range] of ranges.entries()) starts[piece + 1] = starts[piece] + wordsOf(range).count
  return starts
}

/** To be used up before the next one is asked for. */
function passingMask(source: ScanSource, range: SegmentRange): Bitmap | undefined {
  return source.isNone(range) ? undefined : source.passingMask(range)
}

/** Puts the bits of a piece where all threads see them. */
function noteMask(
  { states, words }: MasksTask,
  piece: number,
  start: number,
  range: SegmentRange,
  mask: Bitmap | undefined,
): void {
  const { first, count } = wordsOf(range)
  if (mask !== undefined) words.set(mask.subarray(first, first + count), start)
  Atomics.store(states, piece, KNOWN)
}

/** Takes part in another thread's search for rows, over the same segments. */
export class MasksHelping implements Helping {
  readonly #task: MasksTask
  readonly #scan: HelpedScan
  readonly #starts: Uint32Array

  constructor(task: MasksTask, segments: readonly Segment[], budget: Budget) {
    this.#task = task
    this.#scan = new HelpedScan(task, segments, budget)
    this.#starts = startsOf(this.#scan.ranges)
  }

  work(next: () => number | undefined): void {
    const { source, ranges } = this.#scan
    for (let piece = next(); piece !== undefined; piece = next()) {
      noteMask(this.#task, piece, this.#starts[piece], ranges[piece], passingMask(source, ranges[piece]))
      checkpoint()
    }
  }

  give(): ScanCounts {
    return this.#scan.takeCounts()
  }

  hear(): void {
    // There is one pass.
  }

  end(): Promise<void> {
    return this.#scan.end()
  }
}

/**
 * The rows that pass in the pieces of a scan, one piece after the other. When finding them turns out to take long, threads that help take pieces
 * too: then pieces that come later may be looked at here while an earlier one is looked at elsewhere.
 */
export class SharedMasks {
  readonly ranges: readonly SegmentRange[]
  readonly #source: ScanSource
  readonly #charge: Charge
  readonly #pieces: SharedPieces<ScanCounts>
  #task: MasksTask | undefined
  #starts: Uint32Array = new Uint32Array(0)

  constructor(source: ScanSource) {
    this.#source = source
    this.ranges = source.pieces()
    this.#charge = new Charge(source.context.query.budget)
    const leastMs = source.context.helpers?.leastMs ?? 0
    this.#pieces = sharedScan({
      source,
      ranges: this.ranges,
      task: () => this.#newTask(),
      isShareable: () => !source.isPlain,
      // A limit may well be met within the first few pieces.
      isWorthSharing: ({ workedMs }) => workedMs > leastMs,
      take: () => true,
    })
  }

  /**
   * The rows of a piece; `undefined` when there are none; `later` after another piece was looked at, or when it is waited for. Pieces
   * are asked for from the first to the last, but for those that have no rows.
   */
  of(piece: number): PassingRows | undefined | 'later' {
    // With the last one all have told what they looked at.
    if (this.#isKnown(piece) && piece < this.ranges.length - 1) return this.#give(piece)
    const other = this.#pieces.next(piece)
    if (!this.#pieces.isShared) this.#letGo()
    if (other === undefined || other === piece) return this.#give(piece)
    if (other !== 'later' && !this.#isKnown(other)) this.#lookAhead(other)
    return 'later'
  }

  #isKnown(piece: number): boolean {
    return this.#task !== undefined && Atomics.load(this.#task.states, piece) === KNOWN
  }

  #give(piece: number): PassingRows | undefined {
    const passing = this.#isKnown(piece) ? this.#known(piece) : this.#find(piece)
    if (piece === this.ranges.length - 1) this.#charge.release()
    return passing
  }

  #find(piece: number): PassingRows | undefined {
    const range = this.ranges[piece]
    return this.#pieces.measured(
      () => this.#source.rows(range) ?? (this.#source.isNone(range) ? undefined : this.#source.mask(range)),
    )
  }

  #lookAhead(piece: number): void {
    if (this.#task !== undefined)
      noteMask(this.#task, piece, this.#starts[piece], this.ranges[piece], this.#look(piece))
  }

  #known(piece: number): Bitmap | undefined {
    const found = this.#task?.words.subarray(this.#starts[piece], this.#starts[piece + 1])
    if (found?.some((word) => word !== 0) !== true) return undefined
    const range = this.ranges[piece]
    const mask = createBitmap(range.segment.rowCount)
    mask.set(found, wordsOf(range).first)
    return mask
  }

  #look(piece: number): Bitmap | undefined {
    return this.#pieces.measured(() => passingMask(this.#source, this.ranges[piece]))
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

  /** Nobody could help. */
  #letGo(): void {
    if (this.#task === undefined) return
    this.#task = undefined
    this.#charge.release()
  }
}
