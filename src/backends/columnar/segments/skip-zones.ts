import type { Bitmap } from '../../../data/index.ts'
import { zoneRows, type Segment } from '../../../store/index.ts'
import { canReach } from '../expr/narrow-range.ts'
import type { NamedTest } from '../expr/predicate.ts'

/**
 * Clears zones in which no row with a code that passes has a number in a range, where both a field of few codes and a
 * numeric field are tested: such rows are often in few zones although each alone is everywhere.
 */
export function skipZonesByCode(segment: Segment, tests: readonly NamedTest[], mask: Bitmap): void {
  if (tests.length < 2) return
  const words = zoneRows >>> 5
  for (const { name, test } of tests) {
    const range = test.test
    if (range.kind !== 'range') continue
    const stored = segment.columns.get(name)
    if (stored === undefined || stored.zonesByCode.size === 0) continue
    for (const other of tests) {
      const byCode = stored.zonesByCode.get(other.name)
      const column = segment.columns.get(other.name)?.column
      if (byCode === undefined || column?.kind !== 'dictionary') continue
      const { list } = other.test.codes(column.dictionary)
      const zones = byCode.mins.length / byCode.codes
      for (let zone = 0; zone < zones; zone++) {
        let isReached = false
        for (let i = 0; i < list.length && list[i] < byCode.codes && !isReached; i++) {
          const slot = zone * byCode.codes + list[i]
          isReached = canReach(byCode.mins[slot], byCode.maxs[slot], range)
        }
        if (!isReached) mask.fill(0, zone * words, (zone + 1) * words)
      }
    }
  }
}
