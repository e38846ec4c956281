import { expect, test } from 'vitest'
import { seededRandom } from '../../../../src/base/index.ts'
import {
  borrowedCopy,
  borrowedWords,
  countDifferent,
  giveBack,
  inBoth,
  isShortList,
  keepListed,
  ownMask,
} from '../../../../src/backends/columnar/expr/mask.ts'
import { createBitmap, hasBit, rowsOfBitmap, setBit } from '../../../../src/data/index.ts'

const ROWS = 5000

test('of a mask only listed rows stay, and none that it lacks comes', () => {
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

test('a list is short where it has a row in 256 or fewer', () => {
  const mask = createBitmap(65_536)
  expect([isShortList(256, mask), isShortList(257, mask)]).toEqual([true, false])
})

test('rows that both have, of lists and bitmaps, which stay as they are', () => {
  const random = seededRandom(4)
  for (let round = 0; round < 50; round++) {
    const [a, b] = [0, 0].map(() => {
      const share = 1 + random.below(60)
      return Uint16Array.from({ length: ROWS }, (_, row) => row).filter(() => random.below(share) === 0)
    }) as [Uint16Array, Uint16Array]
    const rowsOf = (rows: ReturnType<typeof inBoth>): readonly number[] =>
      rows instanceof Uint16Array ? [...rows] : [...rowsOfBitmap(rows)]
    const expected = [...a].filter((row) => b.includes(row))
    for (const [first, second] of [
      [a, b],
      [a, ownMask(b, ROWS)],
      [ownMask(a, ROWS), b],
      [ownMask(a, ROWS), ownMask(b, ROWS)],
    ] as const) {
      const before = [rowsOf(first), rowsOf(second)]
      expect(rowsOf(inBoth(first, second))).toEqual(expected)
      expect([rowsOf(first), rowsOf(second)]).toEqual(before)
    }
  }
})

test('a bitmap that may be changed is not the one that is given', () => {
  const bits = createBitmap(ROWS)
  ownMask(bits, ROWS).fill(1)
  expect([...rowsOfBitmap(bits)]).toEqual([])
})

test('different rows are counted in any order, and nothing is left of those counted before', () => {
  const random = seededRandom(5)
  for (let round = 0; round < 50; round++) {
    const rows = Uint16Array.from({ length: 200 }, () => random.below(round < 25 ? 65_536 : 64))
    const end = random.below(201)
    expect(countDifferent(rows, end)).toBe(new Set(rows.subarray(0, end)).size)
  }
})

test('a bitmap that was given back is borrowed again, one that was not is not', () => {
  const bits = Uint32Array.of(5, 6, 7)
  const copy = borrowedCopy(bits)
  expect(copy).toEqual(bits)
  expect(borrowedWords(3)).not.toBe(copy)
  giveBack(copy)
  expect(borrowedWords(3)).toBe(copy)
  giveBack(copy)
  expect(borrowedWords(4)).toHaveLength(4)
})
