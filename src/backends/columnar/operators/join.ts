import { schemaOf, type Join } from '../../../plan/index.ts'
import { Frame } from '../frame.ts'
import { JoinBuilder, type BuiltJoin } from '../join/build.ts'
import { combine, combinePairs } from '../join/combine.ts'
import { areFewPairs, CountedRows, type NumberedFrame } from '../join/counted-rows.ts'
import { PairWalk } from '../join/pairs.ts'
import { NO_ROW } from '../keys/key-table.ts'
import { again, type JoinByRanges, type OperatorFactory } from '../operator.ts'
import { BATCHES_AT_ONCE } from '../tuning.ts'

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
  let walk: PairWalk | undefined
  let nextHeld = 0
  let unmatched: Uint32Array | undefined
  let unmatchedAt = 0

  /** Returns the next left frame; frames that the builder has already read come first. */
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
    const numbers = node.type === 'cross' ? undefined : of.leftKeys.numbers(frame)
    builder.recharge()
    return { frame, numbers }
  }

  const byRanges = (): JoinByRanges | undefined => {
    const isEachLeftRowAlone = node.type === 'inner' || node.type === 'left'
    const { scan, readRanges } = left
    if (!isEachLeftRowAlone || scan === undefined || readRanges === undefined) return undefined
    // Of two unfiltered scans, the right side is read first if it has at most as many rows as the left side; this is
    // known in advance.
    if (!scan.isPlain || right.rowsOf?.isPlain !== true || right.rowsOf.rowBound > scan.rowBound) return undefined
    return {
      node,
      left: scan,
      right: right.rowsOf,
      arePairsFew: () => built !== undefined && areFewPairs(scan.rowBound, built.right),
      read: readRanges,
    }
  }

  return {
    byRanges,
    pull(want) {
      if (built === undefined) {
        const done = builder.step()
        if (done === undefined) return again
        built = done
        measure.notes.push(done.note)
        if (!isPartlyRead) counted = new CountedRows(node, done.right, budget, () => nextNumbered(done))
        return again
      }
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
          walk = new PairWalk(next, built.right, keepsLeft)
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
