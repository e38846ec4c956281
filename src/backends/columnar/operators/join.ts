import { present } from '../../../base/index.ts'
import { schemaOf, type Join } from '../../../plan/index.ts'
import { Frame } from '../frame.ts'
import { JoinBuilder, type BuiltJoin } from '../join/build.ts'
import { combine, combinePairs } from '../join/combine.ts'
import { areFewPairs, CountedRows, type NumberedFrame } from '../join/counted-rows.ts'
import { isAllTexts } from '../keys/all-texts.ts'
import { NO_ROW } from '../keys/key-table.ts'
import { PairRoom, PairWalk, Partners, type PairsOfFrame } from '../join/pairs.ts'
import { PiecePairs } from '../join/piece-pairs.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import { again, BATCHES_AT_ONCE, type JoinByPieces, type Operator, type OperatorFactory } from '../operator.ts'

/** Some rows of a frame, as many at a time as are wanted. */
function takenInPieces(frame: Frame, rows: Uint32Array): Operator {
  let at = 0
  return {
    pull(want) {
      const some = rows.subarray(at, (at += want))
      return some.length === 0 ? undefined : frame.take(some)
    },
  }
}

export const joinOperator: OperatorFactory<Join> = ({
  node,
  inputs: [left, right],
  context,
  measure,
  isPartlyRead,
}) => {
  const builder = new JoinBuilder(node, left, right, context)
  const schema = schemaOf(node.left)
  const keepsLeft = node.type === 'left' || node.type === 'full'
  const keepsRight = node.type === 'right' || node.type === 'full'
  const { budget } = context.query
  let built: BuiltJoin | undefined
  let counted: CountedRows | undefined
  let walk: PairsOfFrame | undefined
  let nextHeld = 0
  let unmatched: Uint32Array | undefined
  let unmatchedAt = 0
  /** Set where rows may come in any order: fields of which equal values keep theirs. */
  let anyOrderBut: readonly string[] | undefined
  const room = new PairRoom()
  let partners: Partners | undefined
  /** Left rows without a partner, which then come before the pairs of their frame. */
  let alone: Operator | undefined
  /** Set where the left scan comes piece by piece. */
  let pieces: PiecePairs | undefined

  /** The next left frame: first those that the builder read. */
  const nextLeft = ({ leftFrames }: BuiltJoin): Frame | typeof again | undefined => {
    const frame = leftFrames[nextHeld]
    if (frame === undefined) return left.pull(context.query.batchRows * BATCHES_AT_ONCE)
    leftFrames[nextHeld++] = new Frame(0, new Map())
    builder.release(frame)
    return frame
  }

  const nextNumbered = (of: BuiltJoin): NumberedFrame | 'again' | undefined => {
    const frame = nextLeft(of)
    if (frame === undefined) return undefined
    if (frame === again) return 'again'
    const numbers = node.type === 'cross' ? undefined : of.leftKeys.passingNumbers(frame)
    builder.recharge()
    return { frame, numbers }
  }

  const mayComeAlone = (frame: Frame): boolean =>
    keepsLeft && anyOrderBut?.every((name) => isAllTexts(frame.column(name))) === true

  const open = (next: NumberedFrame, of: BuiltJoin): void => {
    const { frame, numbers } = next
    const { right } = of
    if (numbers === undefined || !mayComeAlone(frame)) {
      walk = new PairWalk(next, right, { keepsLeft, room })
      return
    }
    partners ??= new Partners(right)
    const rows = partners.of(numbers)
    // What is missing in all of them need not stand there.
    alone = takenInPieces(frame, rows.without)
    if (rows.with.length === 0) return
    walk = new PairWalk({ frame: frame.take(rows.with), numbers: rows.numbers }, right, { keepsLeft: false, room })
  }

  const byPieces = (): JoinByPieces | undefined => {
    const isEachLeftRowAlone = node.type === 'inner' || node.type === 'left'
    const { scan, narrowing, readPieces } = left
    if (!isEachLeftRowAlone || scan === undefined || readPieces === undefined) return undefined
    // Both sides are whole scans: then it is known beforehand that the right one is read first.
    if (narrowing?.isExact !== true || right.narrowing?.isExact !== true) return undefined
    const { rowBound: leftRows } = narrowing
    const { rowBound: rightRows } = right.narrowing
    if (rightRows > leftRows) return undefined
    const arePairsFew = (): boolean => built !== undefined && areFewPairs(leftRows, built.right)
    const openPiece = (range: SegmentRange): boolean => {
      if (built === undefined || anyOrderBut === undefined || !arePairsFew()) return false
      pieces ??= new PiecePairs(narrowing, built.leftKeys, built.right, context)
      const opened = pieces.open(range, (frame) => !keepsLeft || mayComeAlone(frame))
      if (opened === undefined) return false
      if (keepsLeft) alone = takenInPieces(opened.frame, opened.without)
      walk = opened
      return true
    }
    return {
      node,
      left: scan,
      right: right.narrowing.source,
      arePairsFew,
      read: ({ ranges, next }) =>
        readPieces({
          ranges,
          next: () => {
            const piece = next()
            return typeof piece === 'number' && openPiece(present(ranges[piece])) ? again : piece
          },
        }),
    }
  }

  return {
    byPieces,
    inAnyOrder(keys) {
      anyOrderBut = keys
      room.isPassing = true
    },
    pull(want) {
      if (built === undefined) {
        const done = builder.step()
        if (done === undefined) return again
        built = done
        measure.notes.push(done.note)
        if (!isPartlyRead) counted = new CountedRows(node, done.right, budget, () => nextNumbered(done))
        return again
      }
      const frameOfAlone = alone?.pull(want)
      if (frameOfAlone !== undefined) return frameOfAlone
      if (walk !== undefined) {
        const pairs = walk.next(want)
        const { frame } = walk
        if (walk.isDone) walk = undefined
        return pairs.left.length === 0 ? again : combinePairs(node, schema, frame, built.right.frame, pairs)
      }
      if (unmatched === undefined) {
        const next = counted === undefined ? nextNumbered(built) : counted.next()
        if (next === 'again') return again
        if (next !== undefined) {
          open(next, built)
          return again
        }
        unmatched = keepsRight ? built.right.unmatched() : new Uint32Array(0)
      }
      if (unmatchedAt >= unmatched.length) return undefined
      const rows = unmatched.subarray(unmatchedAt, (unmatchedAt += want))
      const pairs = { left: new Uint32Array(rows.length).fill(NO_ROW), right: rows }
      return combine(node, schema, new Frame(0, new Map()), built.right.frame, pairs)
    },
  }
}
