import type { Aggregate } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import type { Helpers, SharedWork } from '../helpers.ts'
import { again, type JoinByPieces, type Operator, type PieceReading } from '../operator.ts'
import { countOfOthers, type ScanCounts } from '../segments/scan-task.ts'
import type { FrameAggregate, FramesPart } from './frame-aggregate.ts'
import { joinedTask } from './joined-task.ts'

/** What one thread has joined and added up, as plain data. */
export type JoinedPart = FramesPart & ScanCounts

/** Pieces that are done before the time that the others take is told from theirs. */
const FIRST_PIECES = 2
/** Work is shared where groups have at least so many rows on average, as far as rows were seen. */
const ROWS_OF_SHARED_GROUPS = 8

/** So many times the right side's rows the left one has for each helper: each reads the right side itself, which costs two or three left rows a row. */
const LEFT_ROWS_OF_RIGHT = 8

/** Hands the pieces of a join's left scan to this thread and to others. */
class JoinPieces {
  readonly #node: Aggregate
  readonly #join: JoinByPieces
  readonly #aggregate: FrameAggregate
  readonly #context: ExecContext
  readonly #helpers: Helpers
  readonly #ranges: PieceReading['ranges']
  /** By piece: 1 when it is done, or taken here. */
  readonly #isDone: Uint8Array
  /** Pieces below are done. */
  #next = 0
  #takenPieces = 0
  #mayShare = true
  #shared: SharedWork | undefined
  #firstMs: number | undefined

  constructor(node: Aggregate, join: JoinByPieces, aggregate: FrameAggregate, context: ExecContext, helpers: Helpers) {
    this.#node = node
    this.#join = join
    this.#aggregate = aggregate
    this.#context = context
    this.#helpers = helpers
    this.#ranges = join.left.pieces()
    this.#isDone = new Uint8Array(this.#ranges.length)
  }

  get reading(): PieceReading {
    return { ranges: this.#ranges, next: () => this.#take() }
  }

  #take(): number | typeof again | undefined {
    this.#firstMs ??= performance.now()
    if (this.#mayShare && this.#isWorthSharing(this.#firstMs)) this.#offer()
    const shared = this.#shared
    let piece = shared?.next()
    if (piece === undefined) {
      if (shared !== undefined) this.#takeParts(shared)
      if (shared?.isWaiting === true) {
        this.#context.waits.add(shared.come())
        return again
      }
      // What others have begun and not given is done here.
      while (this.#isDone[this.#next] === 1) this.#next++
      if (this.#next === this.#ranges.length) return undefined
      piece = this.#next
    }
    this.#isDone[piece] = 1
    this.#takenPieces++
    return piece
  }

  /** Whether what is left takes long, as far as the pieces so far tell, and others spend little on reading the right side. */
  #isWorthSharing(firstMs: number): boolean {
    const { leastMs, count } = this.#helpers
    const left = this.#ranges.length - this.#takenPieces
    if (left < 2 || !this.#join.arePairsFew()) return false
    if (leastMs === 0) return true
    const { leftRows, rightRows } = this.#join
    if (leftRows < LEFT_ROWS_OF_RIGHT * count * rightRows) return false
    if (this.#takenPieces < FIRST_PIECES) return false
    if (this.#aggregate.groupCount * ROWS_OF_SHARED_GROUPS > this.#aggregate.rowCount) return false
    const pieceMs = (performance.now() - firstMs) / this.#takenPieces
    return pieceMs * left > leastMs
  }

  #offer(): void {
    this.#mayShare = false
    const { query, end } = this.#context
    const task = joinedTask(this.#node, this.#join, this.#ranges, this.#context)
    if (task === undefined) return
    const shared = this.#helpers.share({
      task,
      segments: [...this.#join.left.segments, ...this.#join.right.segments],
      pieceCount: this.#ranges.length,
      nextPiece: this.#takenPieces,
      pass: 0,
      budget: query.budget,
    })
    if (shared === undefined) return
    this.#shared = shared
    end.add(() => shared.end())
  }

  /** Takes over what others have given. */
  #takeParts(shared: SharedWork): void {
    for (let given = shared.given(); given !== undefined; given = shared.given()) {
      const part = given.part as JoinedPart | undefined
      if (part === undefined) continue
      this.#aggregate.take(part)
      for (const piece of given.pieces) this.#isDone[piece] = 1
      countOfOthers(this.#join.left, part, given.pieces.length, given.workedMs)
    }
  }
}

/** Lets other threads take part where an aggregate adds up the rows of a join; before anything is pulled. */
export function shareJoin(node: Aggregate, input: Operator, aggregate: FrameAggregate, context: ExecContext): void {
  const { helpers } = context
  if (helpers === undefined || input.byPieces === undefined || !aggregate.hasParts) return
  const join = input.byPieces()
  if (join === undefined) return
  join.read(new JoinPieces(node, join, aggregate, context, helpers).reading)
}
