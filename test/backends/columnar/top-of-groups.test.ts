import { describe, expect, test } from 'vitest'
import { present, valueMeter } from '../../../src/base/index.ts'
import { columnComparer, sortedOrder } from '../../../src/backends/columnar/keys/sort-keys.ts'
import { topOfGroups } from '../../../src/backends/columnar/window/top-of-groups.ts'
import { Draw } from './random-plans.ts'
import { numberColumn } from './window-columns.ts'

describe('the first rows of groups', () => {
  test('are those of a stable sort', () => {
    for (let seed = 0; seed < 60; seed++) {
      const draw = new Draw(seed)
      const length = draw.pick([0, 1, 50, 400])
      const groupCount = draw.pick([1, 5, 100])
      const groups = Uint32Array.from({ length }, () => draw.below(groupCount))
      const keep = 1 + draw.below(5)
      const comparers = [
        columnComparer(
          numberColumn(draw, length, () => draw.below(9)),
          draw.pick(['asc', 'desc']),
          valueMeter(),
        ),
      ]
      const seen = new Map<number, number>()
      const expected: number[] = []
      for (const row of sortedOrder(length, comparers)) {
        const place = seen.get(present(groups[row])) ?? 0
        seen.set(present(groups[row]), place + 1)
        if (place < keep) expected.push(row)
      }
      expect([...topOfGroups(groups, groupCount, keep, comparers)]).toEqual(expected.toSorted((a, b) => a - b))
    }
  })
})
