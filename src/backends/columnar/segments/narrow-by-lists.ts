import type { Bitmap } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import { listedInRange } from '../expr/listed-numbers.ts'
import { keepListed } from '../expr/mask.ts'
import type { NamedTest } from '../expr/predicate.ts'

/**
 * Where a field of codes and a number in a range are tested together, and the segment lists all numbers in that range: clears the rows that are
 * not listed, so that the other tests look at few. Beside other tests, such as words, no list is read.
 */
export function narrowByLists(segment: Segment, tests: readonly NamedTest[], mask: Bitmap): void {
  if (!tests.some(({ name }) => segment.columns.get(name)?.column.kind === 'dictionary')) return
  for (const { name, test } of tests) {
    const stored = segment.columns.get(name)
    if (test.test.kind !== 'range' || stored === undefined) continue
    const listed = listedInRange(stored, test.test)
    if (listed !== undefined) keepListed(mask, [listed])
  }
}
