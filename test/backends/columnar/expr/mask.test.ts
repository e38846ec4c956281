import { expect, test } from 'vitest'
import { seededRandom } from '../../../../src/base/index.ts'
import { keepListed } from '../../../../src/backends/columnar/expr/mask.ts'
import { createBitmap, hasBit, rowsOfBitmap, setBit } from '../../../../src/data/index.ts'

const ROWS = 5000

test('intersecting a mask with a list keeps exactly the rows in both', () => {
  const random = seededRandom(3)
  for (let round = 0; round < 50; round++) {
    const mask = createBitmap(ROWS)
    for (let i = 0; i < 2000; i++) setBit(mask, random.below(ROWS))
    const lists = Array.from({ length: random.below(4) }, () =>
      Uint16Array.from({ length: random.below(9) }, () => random.below(ROWS)).sort(),
    )
    const expected = [...new Set(lists.flatMap((list) => [...list]))]
      .filter((row) => hasBit(mask, row))
      .sort((a, b) => a - b)
    keepListed(mask, lists)
    expect([...rowsOfBitmap(mask)]).toEqual(expected)
  }
})
