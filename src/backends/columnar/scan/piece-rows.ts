import { present } from '../../../base/index.ts'
import { rowsOfBitmap } from '../../../data/index.ts'
import type { Predicate } from '../expr/predicate.ts'
import type { Frame } from '../frame.ts'
import { again, type Operator, type PieceReading } from '../operator.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'

/** Rows of one piece: all of the frame from `at` to `end`, or those listed there. */
interface Open {
  readonly frame: Frame
  readonly rows: Uint32Array | undefined
  readonly end: number
  at: number
}

/** The rows of pieces that pass, as they are asked for; `narrowers` may grow. */
export function pieceRows(
  source: ScanSource,
  { ranges, next }: PieceReading,
  narrowers: readonly Predicate[],
): Pick<Operator, 'pull'> {
  let open: Open | undefined
  const opened = (range: SegmentRange): Open => {
    if (narrowers.length === 0) {
      const { frame, from, to, rows } = source.slice(range)
      return rows === undefined ? { frame, rows, at: from, end: to } : { frame, rows, at: 0, end: rows.length }
    }
    const frame = source.frame(range.segment)
    if (source.isNone(range)) return { frame, rows: undefined, at: 0, end: 0 }
    const mask = source.mask(range)
    for (const predicate of narrowers) predicate.narrow(frame, mask)
    const rows = rowsOfBitmap(mask)
    return { frame, rows, at: 0, end: rows.length }
  }
  return {
    pull(want) {
      if (open === undefined || open.at === open.end) {
        open = undefined
        const piece = next()
        if (piece === undefined || piece === again) return piece
        open = opened(present(ranges[piece]))
        return again
      }
      const { frame, rows, at } = open
      open.at = Math.min(open.end, at + want)
      return rows === undefined ? frame.slice(at, open.at) : frame.take(rows.subarray(at, open.at))
    },
  }
}
