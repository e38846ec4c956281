import type { Aggregate } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import type { Helpers } from '../helpers.ts'
import { again, type JoinByPieces, type Operator } from '../operator.ts'
import type { ScanCounts } from '../segments/scan-task.ts'
import type { PiecesSoFar, SharedPieces } from '../shared-pieces.ts'
import { sharedScan } from '../segments/scan-pieces.ts'
import type { FrameAggregate, FramesPart } from './frame-aggregate.ts'
import { joinedTask } from './joined-task.ts'

/** What one thread has joined and added up, as plain data. */
export type JoinedPart = FramesPart & ScanCounts

/** Pieces that are done before the time that the others take is told from theirs. */
const FIRST_PIECES = 2
/** Work is shared where groups have at least so many rows on average, as far as rows were seen. */
const ROWS_OF_SHARED_GROUPS = 8
/** So many times as long as all helpers spend on reading the right side themselves the rest must take: then two threads are one and a half times as fast as one. */
const LEFT_OF_BEGINNING = 3

/** A row of the left side takes so long at least, nanoseconds, whatever it is joined with and what is added up. */
const LEFT_ROW_NS = 15
/** Where the left side has so many times the right one's rows, others are asked before that is read: all threads read it at once then, and nobody waits. */
const LEFT_ROWS_AHEAD = 8

/** What the left side takes at least, milliseconds, where others are asked for it ahead; `undefined` where the pieces have to tell. */
export function aheadMs(
  { leftRows, rightRows }: Pick<JoinByPieces, 'leftRows' | 'rightRows'>,
  helpers: Pick<Helpers, 'count' | 'leastMs'> | undefined,
): number | undefined {
  if (helpers === undefined || leftRows < LEFT_ROWS_AHEAD * helpers.count * rightRows) return undefined
  const leftMs = (leftRows * LEFT_ROW_NS) / 1e6
  return leftMs > helpers.leastMs ? leftMs : undefined
}

/** Whether others are done with reading the right side soon enough to save time on the rest of the left one. */
export function isRestLong({ pieces, beginMs, leftMs }: PiecesSoFar, helpers: number): boolean {
  return pieces >= FIRST_PIECES && leftMs >= LEFT_OF_BEGINNING * helpers * beginMs
}

/** Hands the pieces of a join's left scan to this thread and to others. */
function joinPieces(
  node: Aggregate,
  join: JoinByPieces,
  aggregate: FrameAggregate,
  context: ExecContext,
): SharedPieces<JoinedPart> {
  const ranges = join.left.pieces()
  const helpers = context.helpers?.count ?? 0
  const pieces = sharedScan<JoinedPart>({
    source: join.left,
    ranges,
    task: () => joinedTask(node, join, ranges, context),
    segments: () => [...join.left.segments, ...join.right.segments],
    isShareable: () => join.arePairsFew() && aggregate.groupCount * ROWS_OF_SHARED_GROUPS <= aggregate.rowCount,
    isWorthSharing: (soFar) => isRestLong(soFar, helpers),
    take: (part) => aggregate.take(part),
  })
  join.read({
    ranges,
    next: () => {
      const piece = pieces.next()
      return piece === 'later' ? again : piece
    },
  })
  return pieces
}

/** Lets the rows of a join come piece by piece where an aggregate adds them up, and other threads take part; before anything is pulled. Gives a step of the aggregate. */
export function shareJoin(
  node: Aggregate,
  input: Operator,
  aggregate: FrameAggregate,
  context: ExecContext,
): () => boolean {
  const step = (): boolean => aggregate.step()
  const join = aggregate.hasParts ? input.byPieces?.() : undefined
  if (join === undefined) return step
  const pieces = joinPieces(node, join, aggregate, context)
  let leftMs = aheadMs(join, context.helpers)
  return () => {
    if (leftMs !== undefined && join.isAtRight()) {
      pieces.askAhead(leftMs)
      leftMs = undefined
    }
    return pieces.measured(step)
  }
}
