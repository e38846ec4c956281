// @module-tag slow
import { describe, expect, test } from 'vitest'
import { present, atOnce } from '../../../../src/base/index.ts'
import { GroupKeys } from '../../../../src/backends/columnar/keys/group-keys.ts'
import {
  compareGroupTuples,
  gather,
  groupTupleText,
  isEmptyValue,
  valueAt,
  type Value,
} from '../../../../src/data/index.ts'
import { Draw } from '../random-plans.ts'
import { randomColumn } from '../window-columns.ts'

describe('numbers of groups', () => {
  test('are those of the key texts in order of appearance, over several frames', () => {
    for (let seed = 0; seed < 60; seed++) {
      const draw = new Draw(seed)
      const keyCount = 1 + draw.below(3)
      const groups = new GroupKeys(keyCount)
      const known = new Map<string, number>()
      const tuples: Value[][] = []
      const shared = Array.from({ length: keyCount }, () => randomColumn(draw, 300))
      for (let frame = 0; frame < 3; frame++) {
        const rows = Uint32Array.from({ length: 200 }, () => draw.below(300))
        const columns = shared.map((column) => (draw.chance(3) ? randomColumn(draw, 200) : gather(column, rows)))
        const expected = Array.from(rows, (_, row) => {
          const tuple = columns.map((column) => valueAt(column, row))
          const text = groupTupleText(tuple)
          const group = known.get(text) ?? known.size
          if (group === known.size) {
            known.set(text, group)
            tuples.push(tuple.map((value) => (isEmptyValue(value) ? null : value)))
          }
          return group
        })
        expect([...groups.groupsOf(columns, 200)], `seed ${seed}`).toEqual(expected)
        expect(groups.groupCount).toBe(known.size)
      }
      expect(tuples.map((_, group) => groups.keyValues(group))).toEqual(tuples)
      const sorted = tuples
        .map((_, group) => group)
        .sort((a, b) => compareGroupTuples(present(tuples[a]), present(tuples[b])))
      expect([...atOnce(groups.sorted())]).toEqual(sorted)
    }
  })

  test('without keys there is one group', () => {
    const groups = new GroupKeys(0)
    expect([...groups.groupsOf([], 3)]).toEqual([0, 0, 0])
    expect(groups.groupCount).toBe(1)
    expect(groups.keyValues(0)).toEqual([])
  })
})
