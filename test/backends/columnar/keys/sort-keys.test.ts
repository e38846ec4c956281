// @module-tag slow
import { describe, expect, test } from 'vitest'
import { present, valueMeter } from '../../../../src/base/index.ts'
import { columnComparer, wordsOfAll, sortedOrder } from '../../../../src/backends/columnar/keys/sort-keys.ts'
import { compareSortKey, gather, valueAt, type Value } from '../../../../src/data/index.ts'
import { Draw } from '../random-plans.ts'
import { randomColumn, storedColumn } from '../window-columns.ts'

describe('order of rows by columns', () => {
  test('is that of a stable sort of the values, whatever the encodings', () => {
    let byWords = 0
    for (let seed = 0; seed < 160; seed++) {
      const draw = new Draw(seed)
      const length = draw.pick([0, 1, 7, 600, 900])
      const columns = Array.from({ length: 1 + draw.below(3) }, () => randomColumn(draw, length))
      const directions = columns.map(() => draw.pick(['asc', 'desc'] as const))
      const comparers = columns.map((column, key) => columnComparer(column, present(directions[key]), valueMeter()))
      const rows = Array.from({ length }, (_, row) => row)
      const values = columns.map((column) => rows.map((row) => valueAt(column, row)))
      const naive = rows.toSorted((a, b) => {
        for (const [key, column] of values.entries()) {
          const order = compareSortKey(present(column[a]), present(column[b]), present(directions[key]))
          if (order !== 0) return order
        }
        return a - b
      })
      if (length > 512 && wordsOfAll(comparers) !== undefined) byWords++
      expect([...sortedOrder(length, comparers)], `seed ${seed}`).toEqual(naive)
    }
    expect(byWords).toBeGreaterThan(10)
  })

  test.each(['asc', 'desc'] as const)('a few rows of a dictionary with many entries, %s', (direction) => {
    const texts = Array.from({ length: 400 }, (_, i) => (i % 100 === 0 ? null : `text ${(i * 37) % 400}`))
    const rows = Uint32Array.from({ length: 60 }, (_, i) => (i * i * 7) % 400)
    const column = gather(storedColumn(texts), rows)
    expect(column).toMatchObject({ kind: 'dictionary', dictionary: { size: 397 } })
    const order = sortedOrder(60, [columnComparer(column, direction, valueMeter())])
    const values: readonly Value[] = Array.from(rows, (row) => texts[row] ?? null)
    const naive = Array.from(rows.keys()).toSorted(
      (a, b) => compareSortKey(values[a] ?? null, values[b] ?? null, direction) || a - b,
    )
    expect([...order]).toEqual(naive)
  })
})
