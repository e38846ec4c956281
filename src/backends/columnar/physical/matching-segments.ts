import type { Segment } from '../../../store/index.ts'
import { isEmptyMask } from '../expr/mask.ts'
import type { Operator } from '../operator.ts'
import type { ScanSource } from '../segments/source.ts'

function hasRows(source: ScanSource, range: ReturnType<ScanSource['ranges']>[number]): boolean {
  const count = source.count(range)
  if (count !== undefined) return count > 0
  return !source.isNone(range) && !isEmptyMask(source.mask(range))
}

/** The segments with a row that passes, newest first; `undefined` for one without. Nothing is read before it is asked. */
export function* matchingSegments({ scan }: Operator): Generator<Segment | undefined> {
  if (scan === undefined) return
  for (const range of scan.ranges()) yield hasRows(scan, range) ? range.segment : undefined
}
