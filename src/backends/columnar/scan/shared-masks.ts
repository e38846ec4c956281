import { sharedMemory, type Budget, type Turns } from '../../../base/index.ts'
import { createBitmap, type Bitmap } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import { Charge } from '../charge.ts'
import type { Helping, SharedWork } from '../helpers.ts'
import { HelpedScan, countOfOthers, scanTask, type ScanCounts, type ScanTask } from '../segments/scan-task.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'

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

function maskOf(source: ScanSource, range: SegmentRange): Bitmap | undefined {
  return source.isNone(range) ? undefined : source.mask(range)
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

  *work(next: () => number | undefined): Turns<void> {
    const { source, ranges } = this.#scan
    for (let piece = next(); piece !== undefined; piece = next()) {
      noteMask(this.#task, piece, this.#starts[piece], ranges[piece], maskOf(source, ranges[piece]))
      yield
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
  #workedMs = 0
  #workedPieces = 0
  #mayShare: boolean
  #shared: SharedWork | undefined
  #task: MasksTask | undefined
  #starts: Uint32Array = new Uint32Array(0)

  constructor(source: ScanSource) {
    this.#source = source
    this.ranges = source.pieces()
    this.#charge = new Charge(source.context.query.budget)
    this.#mayShare = source.context.helpers !== undefined && !source.isPlain
  }

  /**
   * The rows of a piece; `undefined` when there are none; `later` after another piece was looked at, or when it is waited for. Pieces
   * are asked for from the first to the last, but for those that have no rows.
   */
  of(piece: number): Bitmap | undefined | 'later' {
    if (this.#mayShare && this.#isWorthSharing(piece)) this.#offer(piece)
    const shared = this.#shared
    const isLast = piece === this.ranges.length - 1
    if (shared === undefined || (this.#isKnown(piece) && !isLast)) return this.#give(piece)
    const other = shared.next()
    if (other !== undefined && other !== piece) {
      this.#lookAhead(other)
      return 'later'
    }
    if (other === undefined) {
      this.#takeCounts(shared)
      // With the last one all have told what they looked at.
      if ((isLast || !this.#isKnown(piece)) && shared.isWaiting) {
        this.#source.context.waits.add(shared.come())
        return 'later'
      }
    }
    // What others have begun and not given is done here.
    return this.#give(piece)
  }

  #isKnown(piece: number): boolean {
    return this.#task !== undefined && Atomics.load(this.#task.states, piece) === KNOWN
  }

  #give(piece: number): Bitmap | undefined {
    const mask = this.#isKnown(piece) ? this.#known(piece) : this.#look(piece)
    if (piece === this.ranges.length - 1) this.#charge.release()
    return mask
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
    const range = this.ranges[piece]
    if (!this.#mayShare) return maskOf(this.#source, range)
    const startMs = performance.now()
    const mask = maskOf(this.#source, range)
    this.#workedMs += performance.now() - startMs
    this.#workedPieces++
    return mask
  }

  /** Whether what is left takes long, as far as the pieces so far tell; a limit may well be met within the first few. */
  #isWorthSharing(piece: number): boolean {
    const { helpers } = this.#source.context
    const left = this.ranges.length - piece
    if (helpers === undefined || left < 2) return false
    if (helpers.leastMs === 0) return true
    return this.#workedMs > helpers.leastMs && (this.#workedMs / this.#workedPieces) * left > helpers.leastMs
  }

  #offer(piece: number): void {
    this.#mayShare = false
    const { context, segments } = this.#source
    const { helpers, query, end } = context
    const scan = scanTask(this.#source, this.ranges, context)
    if (scan === undefined) return
    const starts = startsOf(this.ranges)
    const bytes = 4 * (starts[this.ranges.length] + this.ranges.length)
    this.#charge.charge(bytes)
    const task: MasksTask = {
      kind: 'masks',
      ...scan,
      states: new Int32Array(sharedMemory(this.ranges.length * 4)),
      words: new Uint32Array(sharedMemory(starts[this.ranges.length] * 4)),
    }
    const work = {
      task,
      segments,
      pieceCount: this.ranges.length,
      nextPiece: piece,
      pass: 0,
      budget: query.budget,
    }
    const shared = helpers?.share(work)
    if (shared === undefined) return this.#charge.release()
    this.#shared = shared
    this.#task = task
    this.#starts = starts
    end.add(() => shared.end())
  }

  #takeCounts(shared: SharedWork): void {
    for (let given = shared.given(); given !== undefined; given = shared.given()) {
      const counts = given.part as ScanCounts | undefined
      if (counts !== undefined) countOfOthers(this.#source, counts, given.pieces.length, given.workedMs)
    }
  }
}
