import type { Segment } from '../../../store/index.ts'
import { isEmptyMask } from '../expr/mask.ts'
import type { Operator } from '../operator.ts'
import type { ScanSource } from '../segments/source.ts'

function hasRows(source: ScanSource, range: ReturnType<ScanSource['ranges']>[number]): boolean {
  const count = source.count(range)
  if (count !== undefined) return count > 0
  return !source.isNone(range) && !isEmptyMask(source.mask(range))
}

/**
 * Yields each segment with a matching row, newest first, and `undefined` for each segment without. Segments are tested
 * one by one, as the caller requests values.
 */
export function* matchingSegments({ scan }: Operator): Generator<Segment | undefined> {
  if (scan === undefined) return
  for (const range of scan.ranges()) yield hasRows(scan, range) ? range.segment : undefined
}
